import type { INodeProperties } from 'n8n-workflow';

import { inBody, suggestedName } from '../../../shared/operations/fields';
import { ctaOverlayField, domainNameField, splashPageField } from '../../locators';

/** What create and update have in common (document: "Short link (add and update)"). */
export const linkFields: readonly INodeProperties[] = [
	ctaOverlayField,
	{
		displayName: 'Custom Alias',
		name: 'customAlias',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring-sale',
		description: 'The last part of the short URL, in place of a random one',
		routing: inBody('custom'),
	},
	targets('Device Targets', 'deviceTargets', 'devicetarget', {
		displayName: 'Device',
		name: 'device',
		placeholder: 'e.g. iphone',
		description: 'The device whose visitors go to the link',
		search: 'searchDevices',
	}),
	domainNameField,
	{
		displayName: 'Expiry',
		name: 'expiry',
		type: 'dateTime',
		default: '',
		description:
			'When the link stops working. Sent in the Service Time Zone of the credential; a time without a zone is meant in the time zone of the workflow.',
		routing: inBody('expiry'),
	},
	targets('Geo Targets', 'geoTargets', 'geotarget', {
		displayName: 'Location',
		name: 'location',
		placeholder: 'e.g. Germany',
		description: 'The country whose visitors go to the link',
		search: 'searchCountries',
	}),
	targets('Language Targets', 'languageTargets', 'languagetarget', {
		displayName: 'Language',
		name: 'language',
		placeholder: 'e.g. de',
		description: 'The browser language whose visitors go to the link',
		search: 'searchLanguages',
	}),
	{
		displayName: 'Meta Description',
		name: 'metaDescription',
		type: 'string',
		default: '',
		placeholder: 'e.g. All jackets at half price',
		description: 'The description that social networks show with the link',
		routing: inBody('metadescription'),
	},
	{
		displayName: 'Meta Image',
		name: 'metaImage',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com/sale.png',
		description: 'The address of the JPG or PNG image that social networks show with the link',
		routing: inBody('metaimage'),
	},
	{
		displayName: 'Meta Title',
		name: 'metaTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. Spring Sale',
		description: 'The title that social networks show with the link',
		routing: inBody('metatitle'),
	},
	{
		displayName: 'Page ID Format',
		name: 'pageIdFormat',
		type: 'string',
		default: '',
		placeholder: 'e.g. splash-*',
		description:
			'How the ID of the splash page or overlay is sent; an asterisk stands for it. By default * for a splash page and overlay-* for an overlay.',
	},
	{
		displayName: 'Parameters',
		name: 'parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Parameter',
		default: {},
		description: 'Query parameters to append to the long URL',
		options: [
			{
				displayName: 'Parameter',
				name: 'parameter',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. ref',
						description: 'The name of the parameter',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. newsletter',
						description: 'The value of the parameter',
					},
				],
			},
		],
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'The password that visitors have to enter',
		routing: inBody('password'),
	},
	{
		displayName: 'Redirect Type',
		name: 'redirectType',
		type: 'options',
		options: [
			{
				name: 'CTA Overlay',
				value: 'overlay',
				description: 'Show a call-to-action overlay on the target page',
			},
			{
				name: 'Custom Splash Page',
				value: 'customSplash',
				description: 'Show one of your splash pages first',
			},
			{ name: 'Direct', value: 'direct', description: 'Redirect at once' },
			{ name: 'Frame', value: 'frame', description: 'Show the target page inside a frame' },
			{
				name: 'Splash',
				value: 'splash',
				description: "Show the service's own splash page first",
			},
		],
		default: 'direct',
		description: 'How visitors get to the long URL',
		routing: inBody('type'),
	},
	splashPageField,
	{
		displayName: 'UTM Parameters',
		name: 'utm',
		type: 'collection',
		placeholder: 'Add UTM Parameter',
		default: {},
		description: 'Campaign parameters to append to the long URL, for web analytics',
		options: [
			utm('Campaign', 'campaign', 'spring-sale', 'The campaign that the link belongs to'),
			utm(
				'Content',
				'content',
				'header-button',
				'What was clicked, where several links lead to the same page',
			),
			utm('Medium', 'medium', 'email', 'The kind of channel that the visitors come from'),
			utm('Source', 'source', 'newsletter', 'The site or the mailing that the visitors come from'),
			utm('Term', 'term', 'rain jacket', 'The paid search term'),
		],
	},
];

/** Rows of a name and the link that its visitors go to. */
function targets(
	displayName: string,
	name: string,
	property: string,
	what: Parameters<typeof suggestedName>[0],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Target',
		default: {},
		description: 'Visitors that go to another link',
		options: [
			{
				displayName: 'Target',
				name: 'target',
				values: [
					suggestedName(what),
					{
						displayName: 'Link',
						name: 'link',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://www.example.de/angebot',
						description: 'Where these visitors go',
					},
				],
			},
		],
		routing: inBody(property),
	};
}

function utm(
	displayName: string,
	name: string,
	example: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description,
	};
}
