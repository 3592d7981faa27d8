import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { includeInputFields, MAPPED } from '../../../shared/operations/fields';
import { inBody } from '../../../shared/operations/sentFields';
import { line, required, secret, text } from '../../../shared/values/input';
import { requiredFor, textField } from '../../fields';
import { ctaOverlayLocator, domainNameField, splashPageLocator } from '../../locators';
import { suggestedName } from '../../suggestions';
import { address, webAddress } from '../../values/address';
import { serviceDatetime } from '../../values/dateTime';
import { parametersOf, redirectType, targetsOf, utmTags } from './body';
import { COLUMN_NAMES } from './columns';

/** An AI tool fills in fields, so it is not offered to map columns. */
export const mappingModeField: INodeProperties = {
	displayName: 'Mapping Mode',
	name: 'mappingMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Map Automatically',
			value: MAPPED,
			description: 'Take the values from the columns of the input',
		},
		{
			name: 'Map Each Field Below',
			value: 'defineBelow',
			description: 'Set the value of each field below',
		},
	],
	default: 'defineBelow',
	description: 'Where the values of the link come from',
	displayOptions: { hide: { '@tool': [true] } },
};

/** Shown in the panel, because a description is hidden until the mouse is over it. */
export const columnsNotice: INodeProperties = {
	displayName: `These columns fill fields: ${COLUMN_NAMES}. Case, spaces, _ and - in their names do not matter. Where a row has no value, the field below is used.`,
	name: 'columnsNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { mappingMode: [MAPPED] } },
};

const urlField: INodeProperties = {
	...textField('URL', 'url', 'https://www.example.com/spring-sale'),
	description: 'The long URL to shorten',
	routing: inBody('url', address),
};

export const customAliasField: INodeProperties = {
	...textField('Custom Alias', 'customAlias', 'spring-sale'),
	description: 'The last part of the short URL, instead of a random one',
	routing: inBody('custom', line),
};

/** What create and update have in common (document: "Short link (add and update)"). */
const linkFields: readonly INodeProperties[] = [
	targets('Device Targets', 'deviceTargets', 'devicetarget', {
		displayName: 'Device',
		name: 'device',
		placeholder: 'e.g. iphone',
		description: 'Visitors on this device go to the URL below',
		search: 'searchDevices',
	}),
	{
		displayName: 'Expiry',
		name: 'expiry',
		type: 'dateTime',
		default: '',
		description: 'When the link stops working; sent in the Service Time Zone of the credential',
		hint: 'In the time zone of the workflow, unless the value includes one',
		routing: inBody('expiry', (label, value, { zones }) => serviceDatetime(label, value, zones)),
	},
	targets('Geo Targets', 'geoTargets', 'geotarget', {
		displayName: 'Country',
		name: 'location',
		placeholder: 'e.g. Germany',
		description: 'Visitors from this country go to the URL below',
		search: 'searchCountries',
	}),
	targets('Language Targets', 'languageTargets', 'languagetarget', {
		displayName: 'Language',
		name: 'language',
		placeholder: 'e.g. de',
		description: 'Visitors with this language go to the URL below',
		search: 'searchLanguages',
	}),
	{
		...textField('Meta Description', 'metaDescription', 'All jackets at half price'),
		typeOptions: { rows: 2 },
		description: 'The description that social networks show with the link',
		routing: inBody('metadescription', text),
	},
	{
		...textField('Meta Image', 'metaImage', 'https://www.example.com/sale.png'),
		description: 'The address of the JPG or PNG image that social networks show with the link',
		routing: inBody('metaimage', webAddress),
	},
	{
		...textField('Meta Title', 'metaTitle', 'Spring Sale'),
		description: 'The title that social networks show with the link',
		routing: inBody('metatitle', text),
	},
	{
		displayName: 'Parameters',
		name: 'parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Parameter',
		default: {},
		description: 'Query parameters that the service appends to the long URL',
		options: [
			{
				displayName: 'Parameter',
				name: 'parameter',
				values: [
					{ ...textField('Name', 'name', 'ref'), description: 'The name of the parameter' },
					{
						...textField('Value', 'value', 'newsletter'),
						description: 'The value of the parameter',
					},
				],
			},
		],
		routing: inBody('parameters', parametersOf),
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'The password that visitors have to enter',
		routing: inBody('password', secret),
	},
	{
		displayName: 'UTM Parameters',
		name: 'utm',
		type: 'collection',
		placeholder: 'Add UTM Parameter',
		// All five at once, in the order in which campaign builders ask for them.
		default: { source: '', medium: '', campaign: '', term: '', content: '' },
		description:
			'Tags for web analytics, written into the long URL. A tag that is already there is replaced; an empty field changes nothing.',
		options: [
			utm('Source', 'source', 'newsletter', 'The site or mailing the visitors come from'),
			utm('Medium', 'medium', 'email', 'The kind of channel the visitors come from'),
			utm('Campaign', 'campaign', 'spring-sale', 'The campaign the link belongs to'),
			utm('Term', 'term', 'rain jacket', 'The paid search term'),
			utm(
				'Content',
				'content',
				'header-button',
				'What was clicked, if several links lead to the same page',
			),
		],
		routing: inBody('utm', utmTags),
	},
];

const REDIRECTS: readonly INodePropertyOptions[] = [
	{ name: 'Direct', value: 'direct', description: 'Redirect immediately' },
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

const redirectField: INodeProperties = {
	displayName: 'Redirect Type',
	name: 'redirectType',
	type: 'options',
	options: [...REDIRECTS],
	default: 'direct',
	description: 'How visitors get to the long URL',
	routing: inBody('type', line),
};

const newRedirectField: INodeProperties = {
	...redirectField,
	options: [
		...PAGE_REDIRECTS,
		...REDIRECTS,
		{ name: 'Service Default', value: '', description: 'Let the service decide' },
	].sort((a, b) => a.name.localeCompare(b.name)),
	default: '',
	routing: inBody('type', redirectType),
};

const definedBelow: IDisplayOptions = { hide: { mappingMode: [MAPPED] } };

/** The fields of a new link that are used most: they come first, outside the collections. */
export const newLinkFields: readonly INodeProperties[] = [
	{ ...urlField, required: true, displayOptions: definedBelow },
	{ ...customAliasField, displayOptions: definedBelow },
	domainNameField,
	newRedirectField,
	...requiredFor(newRedirectField, ['overlay'], ctaOverlayLocator),
	...requiredFor(newRedirectField, ['customSplash'], splashPageLocator),
];

const pageIdFormatField: INodeProperties = {
	...textField('Page ID Format', 'pageIdFormat', 'splash-*'),
	description:
		'How to send the ID of the splash page or overlay; * stands for the ID. Defaults to * for a splash page and overlay-* for an overlay.',
	displayOptions: { show: { '/redirectType': ['overlay', 'customSplash'] } },
};

/** The fields of a new link that only those who need them add. */
export const addedLinkFields: readonly INodeProperties[] = [...linkFields, pageIdFormatField];

/** With mapped columns, the row is always output. */
export const inputFieldsOption: INodeProperties = {
	...includeInputFields,
	displayOptions: {
		hide: { ...includeInputFields.displayOptions?.hide, '/mappingMode': [MAPPED] },
	},
};

export const ignoredColumnsOption: INodeProperties = {
	...textField('Columns to Ignore', 'ignoredColumns', 'Campaign, Domain'),
	description:
		'Columns that do not fill fields, separated by commas: for a sheet in which one of these names means something else. They are still output.',
	displayOptions: { show: { '/mappingMode': [MAPPED] } },
};

export const utmFormatOption: INodeProperties = {
	displayName: 'UTM Format',
	name: 'utmFormat',
	type: 'options',
	options: [
		{ name: 'As Entered', value: 'asEntered' },
		{ name: 'Lower Case With -', value: 'hyphen', description: 'Summer Sale becomes summer-sale' },
		{
			name: 'Lower Case With _',
			value: 'underscore',
			description: 'Summer Sale becomes summer_sale',
		},
	],
	default: 'asEntered',
	description:
		'How to write UTM Parameters, so that statistics show a campaign once. Placeholders such as {keyword} stay as they are. Links made with another format have other long URLs.',
};

const replacesAll = (what: string): string =>
	`Replaces all ${what} of the link; leave empty to remove them.`;

/** What a value, or an empty one, does on an update. */
const ON_UPDATE: Readonly<Record<string, string>> = {
	deviceTargets: replacesAll('device targets'),
	domain: "Leave empty to move the link to the service's own domain.",
	expiry: 'Leave empty to remove the expiry.',
	geoTargets: replacesAll('geo targets'),
	languageTargets: replacesAll('language targets'),
	metaDescription: 'Leave empty to remove the description.',
	metaImage: 'Leave empty to remove the image.',
	metaTitle: 'Leave empty to remove the title.',
	parameters: replacesAll('parameters'),
	password: 'Leave empty to remove the password.',
};

/** The fields of an update. The API document has the redirects to a page for a create only. */
export const changedLinkFields: readonly INodeProperties[] = [
	...[customAliasField, { ...domainNameField, description: 'The branded domain of the short URL' }]
		.concat(linkFields)
		.map((field) => {
			const effect = ON_UPDATE[field.name];
			return effect ? { ...field, description: `${field.description ?? ''}. ${effect}` } : field;
		}),
	redirectField,
	{
		...urlField,
		description: 'The new long URL. If not added, the link keeps its URL.',
		routing: inBody('url', required(address)),
	},
];

/** Rows of a name and the URL that its visitors go to. */
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
		description: 'Visitors to send to another URL',
		options: [
			{
				displayName: 'Target',
				name: 'target',
				values: [
					suggestedName(what),
					{
						...textField('Target URL', 'link', 'https://www.example.com/offer'),
						description: 'Where to send these visitors',
					},
				],
			},
		],
		routing: inBody(property, targetsOf(what.name, what.displayName)),
	};
}

function utm(
	displayName: string,
	name: string,
	example: string,
	description: string,
): INodeProperties {
	return { ...textField(displayName, name, example), description };
}
