import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { includeInputFields, optionsField } from '../../../shared/operations/fields';
import { inBody } from '../../../shared/operations/sentFields';
import { text, verbatim } from '../../../shared/values/text';
import { ctaOverlayField, domainNameField, splashPageField } from '../../locators';
import { suggestedName } from '../../suggestions';
import { address, webAddress } from '../../values/address';
import { serviceDatetime } from '../../values/dateTime';
import { redirectType, targetsOf } from './body';

export const newLinkUrl: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://www.example.com/spring-sale',
	description: 'The long URL to shorten',
	routing: inBody('url', address),
};

export const customAliasField: INodeProperties = {
	displayName: 'Custom Alias',
	name: 'customAlias',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring-sale',
	description: 'The last part of the short URL, in place of a random one',
	routing: inBody('custom'),
};

/** The optional fields of a create, which an update has, too (document: "Short link (add and update)"). */
export const newLinkFields: readonly INodeProperties[] = [
	customAliasField,
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
			'When the link stops working; in the service it stands in the Service Time Zone of the credential',
		hint: 'In the time zone of the workflow, unless the value says another one',
		routing: inBody('expiry', (label, value, { zones }) => serviceDatetime(label, value, zones)),
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
		routing: inBody('metadescription', verbatim),
	},
	{
		displayName: 'Meta Image',
		name: 'metaImage',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com/sale.png',
		description: 'The address of the JPG or PNG image that social networks show with the link',
		routing: inBody('metaimage', webAddress),
	},
	{
		displayName: 'Meta Title',
		name: 'metaTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. Spring Sale',
		description: 'The title that social networks show with the link',
		routing: inBody('metatitle', verbatim),
	},
	{
		displayName: 'Parameters',
		name: 'parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Parameter',
		default: {},
		description:
			'Query parameters to append to the long URL. On an update they replace all parameters of the link, UTM tags too.',
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
		routing: inBody('password', verbatim),
	},
	{
		displayName: 'UTM Parameters',
		name: 'utm',
		type: 'collection',
		placeholder: 'Add UTM Parameter',
		// All five at once, in the order in which campaign builders ask for them.
		default: { source: '', medium: '', campaign: '', term: '', content: '' },
		description:
			'Tags to append to the long URL, for web analytics. On an update they replace all parameters of the link: fill in all that it is to have.',
		options: [
			utm('Source', 'source', 'newsletter', 'The site or the mailing that the visitors come from'),
			utm('Medium', 'medium', 'email', 'The kind of channel that the visitors come from'),
			utm('Campaign', 'campaign', 'spring-sale', 'The campaign that the link belongs to'),
			utm('Term', 'term', 'rain jacket', 'The paid search term'),
			utm(
				'Content',
				'content',
				'header-button',
				'What was clicked, where several links lead to the same page',
			),
		],
	},
];

const REDIRECTS: readonly INodePropertyOptions[] = [
	{ name: 'Direct', value: 'direct', description: 'Redirect at once' },
	{ name: 'Frame', value: 'frame', description: 'Show the target page inside a frame' },
	{ name: 'Splash', value: 'splash', description: "Show the service's own splash page first" },
];

/** The document has these only for a create. */
const PAGE_REDIRECTS: readonly INodePropertyOptions[] = [
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
];

const redirectField = (
	options: readonly INodePropertyOptions[],
	read: Parameters<typeof inBody>[1],
): INodeProperties => ({
	displayName: 'Redirect Type',
	name: 'redirectType',
	type: 'options',
	options: [...options],
	default: 'direct',
	description: 'How visitors get to the long URL',
	routing: inBody('type', read),
});

const pageIdFormatField: INodeProperties = {
	displayName: 'Page ID Format',
	name: 'pageIdFormat',
	type: 'string',
	default: '',
	placeholder: 'e.g. splash-*',
	description:
		'How the ID of the splash page or overlay is sent; an asterisk stands for it. By default * for a splash page and overlay-* for an overlay.',
};

const redirectsTo = (...types: string[]): IDisplayOptions => ({ show: { redirectType: types } });

/** The redirect of a new link, and a field for the page, shown if the redirect has one. */
export const newLinkRedirect: readonly INodeProperties[] = [
	{
		...redirectField(
			[
				{ name: 'Service Default', value: '', description: 'Sends no redirect type' },
				...PAGE_REDIRECTS,
				...REDIRECTS,
			],
			redirectType,
		),
		default: '',
	},
	{ ...ctaOverlayField, required: true, displayOptions: redirectsTo('overlay') },
	{ ...splashPageField, required: true, displayOptions: redirectsTo('customSplash') },
];

export const newLinkOptions = optionsField([includeInputFields, pageIdFormatField]);

/** The fields of an update. The API document has the redirects to a page for a create only. */
export const changedLinkFields: readonly INodeProperties[] = [
	...newLinkFields,
	redirectField(REDIRECTS, text),
];

/** Labels of members that no single field sends, for messages. */
export const linkLabels = { parameters: 'Parameters' } as const;

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
		routing: inBody(property, targetsOf(what.name)),
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
