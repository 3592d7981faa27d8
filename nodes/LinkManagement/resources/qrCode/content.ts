import type { IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { RowInput } from '../../../shared/operations/operation';
import { fieldFailure, quoted } from '../../../shared/values/failure';
import { isRecord, mapIn } from '../../../shared/values/json';
import {
	emptyFailure,
	isBlank,
	parseLine,
	parseJson,
	parseNumericLine,
	type ParseValue,
	requiredValue,
	parseText,
	parseSecret,
} from '../../../shared/values/input';
import { textField } from '../../resourceFields';
import { parseAddress, parseWebAddress } from '../../values/address';
import { parsePhone } from '../../values/phone';

export const qrTypeField: INodeProperties = {
	displayName: 'QR Code Type',
	name: 'qrType',
	type: 'options',
	options: [
		{ name: 'Contact (vCard)', value: 'vcard' },
		{ name: 'Email', value: 'email' },
		{ name: 'Link', value: 'link' },
		{ name: 'Phone', value: 'phone' },
		{ name: 'SMS', value: 'sms' },
		{ name: 'Text', value: 'text' },
		{ name: 'Wi-Fi', value: 'wifi' },
	],
	default: 'link',
	description: 'What the QR code contains',
};

/** Black on white, which is always sent: a code that is made without colors cannot get one later. */
export const COLORS = { background: 'rgb(255,255,255)', foreground: 'rgb(0,0,0)' } as const;

const CONTACT_FIELDS = [
	contact('City', 'city', 'Berlin'),
	contact('Company', 'company', 'Example Ltd'),
	contact('Country', 'country', 'Germany'),
	contact('Email', 'email', 'name@email.com'),
	contact('First Name', 'fname', 'Ada'),
	contact('Last Name', 'lname', 'Lovelace'),
	contact('Phone', 'phone', '+49 30 901820'),
	contact('Postal Code', 'zip', '10117'),
	contact('State', 'state', 'Berlin'),
	contact('Street', 'street', 'Unter den Linden 1'),
	contact('Website', 'site', 'https://www.example.com'),
];

/** The fields of each type's data, or JSON where it is an array: the API document does not show the members of these. */
export const qrContentFields: readonly INodeProperties[] = [
	{
		displayName: 'Specify Content',
		name: 'dataMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description:
			'How to enter what the QR code contains. The API does not document it: scan one code, and if it does not work, use JSON.',
		displayOptions: { hide: { qrType: ['link', 'phone', 'text'] } },
	},
	{
		displayName: 'Content',
		name: 'dataJson',
		type: 'json',
		default: '{}',
		description: 'The content as the service expects it for this type',
		displayOptions: { show: { dataMode: ['json'] } },
	},
	{
		...textField('Text', 'text', 'Table 7'),
		description: 'The text to show',
		typeOptions: { rows: 2 },
		displayOptions: forTypes('text'),
	},
	{
		...textField('URL', 'contentUrl', 'https://www.example.com'),
		description: 'The address to open',
		displayOptions: forTypes('link'),
	},
	{
		...textField('Phone', 'phone', '+49 30 901820'),
		description: 'The number to call or to write to',
		displayOptions: forTypes('phone', 'sms'),
	},
	{
		...textField('Email', 'email', 'name@email.com'),
		description: 'The address to write to',
		displayOptions: forTypes('email'),
	},
	{
		...textField('Subject', 'subject', 'Question about an order'),
		description: 'The subject of the email',
		displayOptions: forTypes('email'),
	},
	{
		...textField('Body', 'body', 'Hello,'),
		description: 'The text of the email',
		typeOptions: { rows: 2 },
		displayOptions: forTypes('email'),
	},
	{
		...textField('Message', 'message', 'Stop'),
		description: 'The text of the message',
		typeOptions: { rows: 2 },
		displayOptions: forTypes('sms'),
	},
	{
		...textField('Network Name', 'ssid', 'Guests'),
		description: 'The name (SSID) of the network',
		displayOptions: forTypes('wifi'),
	},
	{
		displayName: 'Encryption',
		name: 'encryption',
		type: 'options',
		options: [
			{ name: 'None', value: 'nopass' },
			{ name: 'WEP', value: 'WEP' },
			{ name: 'WPA / WPA2 / WPA3', value: 'WPA' },
		],
		default: 'WPA',
		description: 'How the network is protected',
		displayOptions: forTypes('wifi'),
	},
	{
		...textField('Wi-Fi Password', 'wifiPassword', 'a long sentence'),
		description: 'The password of the network',
		typeOptions: { password: true },
		displayOptions: {
			show: { qrType: ['wifi'] },
			hide: { dataMode: ['json'], encryption: ['nopass'] },
		},
	},
	{
		displayName: 'Contact',
		name: 'vcard',
		type: 'collection',
		placeholder: 'Add Field',
		default: { fname: '', lname: '', phone: '', email: '' },
		description: 'The contact that the QR code adds to an address book',
		displayOptions: forTypes('vcard'),
		options: CONTACT_FIELDS,
	},
];

function forTypes(...types: string[]): IDisplayOptions {
	return { show: { qrType: types }, hide: { dataMode: ['json'] } };
}

function contact(displayName: string, name: string, example: string): INodeProperties {
	const description = `The ${displayName.toLowerCase()} of the contact`;
	return { ...textField(displayName, name, example), description };
}

type Data = IDataObject[string];

const optional =
	(parse: ParseValue<string>): ParseValue<string> =>
	(label, value) =>
		isBlank(value) ? '' : parse(label, value);

/** How the fields of a contact are read that are not just lines. */
const CONTACT_PARSERS: Readonly<Record<string, ParseValue<string>>> = {
	phone: parsePhone,
	site: parseWebAddress,
	zip: parseNumericLine,
};

const CONTENT_BY_TYPE: Readonly<Record<string, (input: RowInput) => Data>> = {
	text: ({ parameters }) => requiredValue(parseText)('Text', parameters.text),
	link: ({ parameters }) => requiredValue(parseAddress)('URL', parameters.contentUrl),
	phone: ({ parameters }) => requiredValue(parsePhone)('Phone', parameters.phone),
	email: ({ parameters }) => ({
		email: requiredValue(parseLine)('Email', parameters.email),
		subject: optional(parseText)('Subject', parameters.subject),
		body: optional(parseText)('Body', parameters.body),
	}),
	sms: ({ parameters }) => ({
		phone: requiredValue(parsePhone)('Phone', parameters.phone),
		message: optional(parseText)('Message', parameters.message),
	}),
	wifi: ({ parameters }) => ({
		ssid: requiredValue(parseText)('Network Name', parameters.ssid),
		encryption: optional(parseLine)('Encryption', parameters.encryption),
		pass:
			parameters.encryption === 'nopass'
				? ''
				: requiredValue(parseSecret)('Wi-Fi Password', parameters.wifiPassword),
	}),
	vcard: ({ parameters }) => {
		const filled = Object.entries(mapIn(parameters.vcard)).filter(([, value]) => !isBlank(value));
		if (filled.length === 0)
			throw fieldFailure('Contact', 'is empty', 'Fill in at least one field');
		const parse = (name: string) => CONTACT_PARSERS[name] ?? parseLine;
		const label = (name: string) =>
			CONTACT_FIELDS.find((field) => field.name === name)?.displayName;
		const contact = Object.fromEntries(
			filled.map(([name, value]) => [name, parse(name)(label(name) ?? name, value)] as const),
		);
		// Services read the company under `org`.
		return 'company' in contact ? { ...contact, org: contact.company } : contact;
	},
};

export function qrContent(input: RowInput): Data {
	const { parameters } = input;
	if (parameters.dataMode !== 'json') return CONTENT_BY_TYPE[String(parameters.qrType)]?.(input);
	const content = parseJson('Content', parameters.dataJson);
	if (isBlank(content)) throw emptyFailure('Content');
	if (isRecord(content) || Array.isArray(content)) return content;
	throw fieldFailure('Content', `must be a JSON object or list, but is ${quoted(content)}`);
}
