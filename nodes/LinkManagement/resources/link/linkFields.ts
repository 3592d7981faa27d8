// The fields of a link: those of a new one, and those of an update.

import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { MAPPED, optionalField } from '../../../shared/operations/panelFields';
import { inBody } from '../../../shared/operations/requestFields';
import {
	isBlank,
	parseBoolean,
	parseId,
	parseLine,
	parseRequiredLine,
	parseSecret,
	parseText,
} from '../../../shared/values/input';
import { pickedValue } from '../../../shared/values/json';
import { rowsField, textField } from '../../resourceFields';
import { domainNameField, linkPixelLocator } from '../../locators';
import { parseAddress, parseWebAddress } from '../../values/longUrl';
import { parseExpiry } from '../../values/dateTime';
import { parseAlias } from '../../values/shortUrl';
import { newRedirectFields, redirectField, targetFields } from './redirect';
import { toolTagFields, utmField } from './utm';

const urlField: INodeProperties = {
	...textField('URL', 'url', 'https://www.example.com/spring-sale'),
	description: 'The long URL to shorten',
	routing: inBody('url', parseAddress),
};

const customAliasField: INodeProperties = {
	...textField('Custom Alias', 'customAlias', 'spring-sale'),
	description: 'The last part of the short URL, instead of a random one; or the whole short URL',
	routing: inBody('custom', parseAlias),
};

/** What create and update have in common (document: "Short link (add and update)"). */
const linkFields: readonly INodeProperties[] = [
	utmField,
	...targetFields,
	{
		displayName: 'Expiry',
		name: 'expiry',
		type: 'dateTime',
		default: '',
		description: 'When the link stops working',
		hint: 'In the time zone of the workflow, unless the value includes one. A date alone is the end of that day.',
		routing: inBody('expiry', (label, value, { zones }) => parseExpiry(label, value, zones()), ''),
	},
	{
		...textField('Meta Description', 'metaDescription', 'All jackets at half price'),
		typeOptions: { rows: 2 },
		description: 'The description that social networks show',
		routing: inBody('metadescription', parseText, ''),
	},
	{
		...textField('Meta Image', 'metaImage', 'https://www.example.com/sale.png'),
		description: 'The address of the JPG or PNG that social networks show',
		routing: inBody('metaimage', parseWebAddress, ''),
	},
	{
		...textField('Meta Title', 'metaTitle', 'Spring Sale'),
		description: 'The title that social networks show',
		routing: inBody('metatitle', parseText, ''),
	},
	{
		...textField('Note', 'note', 'For the spring newsletter'),
		typeOptions: { rows: 2 },
		description: 'A note that only the account sees, if your service has it',
		routing: inBody('description', parseText, ''),
	},
	rowsField({
		displayName: 'Parameters',
		name: 'parameters',
		description: 'Query parameters that the service appends to the long URL',
		row: 'Parameter',
		values: [
			{ ...textField('Name', 'name', 'ref'), description: 'The name of the parameter' },
			{ ...textField('Value', 'value', 'newsletter'), description: 'Its value' },
		],
		property: 'parameters',
		parse: ({ name, value }) => ({
			name: parseRequiredLine('Parameter Name', name),
			value: isBlank(value) ? '' : parseLine('Parameter Value', value),
		}),
	}),
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'The password that visitors have to enter',
		routing: inBody('password', parseSecret, ''),
	},
	rowsField({
		displayName: 'Pixels',
		name: 'pixelIds',
		description: 'The tracking pixels that visitors load, if your service has it',
		row: 'Pixel',
		values: [optionalField(linkPixelLocator)],
		property: 'pixels',
		parse: ({ pixelId }) => parseId('Pixels', pickedValue(pixelId)),
	}),
	{
		displayName: 'Public',
		name: 'public',
		type: 'boolean',
		default: true,
		description:
			'Whether everyone can see the link in the profile of the account, if your service has it',
		routing: inBody('status', (label, value) =>
			parseBoolean(label, value) ? 'public' : 'private',
		),
	},
];

const definedBelow: IDisplayOptions = { hide: { mappingMode: [MAPPED] } };

/** The fields of a new link that are used most: they come first, outside the collections. */
export const newLinkFields: readonly INodeProperties[] = [
	{ ...urlField, required: true, displayOptions: definedBelow },
	{ ...customAliasField, displayOptions: definedBelow },
	domainNameField,
	...toolTagFields,
];

/** The fields of a new link that only those who need them add. */
export const addedLinkFields: readonly INodeProperties[] = [...linkFields, ...newRedirectFields];

/** What people call a member of a body. */
export const linkLabel = (name: string): string =>
	[urlField, ...addedLinkFields].find(({ routing }) => routing?.send?.property === name)
		?.displayName ?? name;

/** The fields of an update. The API document has the redirects to a page for a create only. */
export const changedLinkFields: readonly INodeProperties[] = [
	...linkFields,
	customAliasField,
	{ ...domainNameField, description: 'The branded domain of the short URL' },
	redirectField,
	{ ...urlField, description: 'The new long URL. Without a value, the link keeps its URL.' },
];
