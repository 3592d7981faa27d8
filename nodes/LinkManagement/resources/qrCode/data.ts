import type { IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { inputFailure } from '../../../shared/values/failure';
import { mapIn } from '../../../shared/values/json';
import type { ItemContext } from '../../../shared/operations/operation';
import { quoted } from '../../../shared/values/path';
import { parsedJson, requiredText, requiredWebAddress } from '../../../shared/values/text';

/** What the code contains; decides the shape of its data. */
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

/** The fields of each type's data, and JSON as the way out: the API document leaves the shapes open. */
export const qrDataFields: readonly INodeProperties[] = [
	{
		displayName: 'Specify Content',
		name: 'dataMode',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to enter what the QR code contains',
	},
	{
		displayName: 'Content',
		name: 'dataJson',
		type: 'json',
		default: '{}',
		description:
			'The content as the service expects it for this type: a text in quotes, an object or a list. Sent as written.',
		displayOptions: { show: { dataMode: ['json'] } },
	},
	{
		...textField('text', 'Text', 'Table 7', 'The text to show', 'text'),
		typeOptions: { rows: 2 },
	},
	textField('url', 'URL', 'https://www.example.com', 'The address to open', 'link'),
	textField('phone', 'Phone', '+49 30 901820', 'The number to call or to write to', 'phone', 'sms'),
	textField('email', 'Email', 'name@email.com', 'The address to write to', 'email'),
	textField('subject', 'Subject', 'Question about an order', 'The subject of the email', 'email'),
	{
		...textField('body', 'Body', 'Hello,', 'The text of the email', 'email'),
		typeOptions: { rows: 2 },
	},
	{
		...textField('message', 'Message', 'Stop', 'The text of the message', 'sms'),
		typeOptions: { rows: 2 },
	},
	textField('ssid', 'Network Name', 'Guests', 'The name (SSID) of the network', 'wifi'),
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
		...textField(
			'wifiPassword',
			'Wi-Fi Password',
			'a long sentence',
			'The password of the network',
			'wifi',
		),
		typeOptions: { password: true },
	},
	{
		displayName: 'Contact',
		name: 'vcard',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'The contact that the QR code adds to an address book',
		displayOptions: forTypes('vcard'),
		options: [
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
		],
	},
];

function forTypes(...types: string[]): IDisplayOptions {
	return { show: { qrType: types, dataMode: ['fields'] } };
}

function textField(
	name: string,
	displayName: string,
	example: string,
	description: string,
	...types: string[]
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description,
		displayOptions: forTypes(...types),
	};
}

function contact(displayName: string, name: string, example: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description: `The ${displayName.toLowerCase()} of the contact`,
	};
}

type Data = IDataObject[string];

/** What is sent as `data` for each type. */
const DATA_BY_TYPE: Readonly<Record<string, (context: ItemContext) => Data>> = {
	text: ({ read }) => requiredText('Text', read('text')),
	link: ({ read }) => requiredWebAddress('URL', read('url')),
	phone: ({ read }) => requiredText('Phone', read('phone')),
	email: ({ read }) => ({
		email: requiredText('Email', read('email')),
		subject: text(read('subject')),
		body: text(read('body')),
	}),
	sms: ({ read }) => ({
		phone: requiredText('Phone', read('phone')),
		message: text(read('message')),
	}),
	wifi: ({ read }) => ({
		ssid: requiredText('Network Name', read('ssid')),
		encryption: text(read('encryption')),
		pass: text(read('wifiPassword')),
	}),
	vcard: ({ read }) => {
		const vcard = mapIn(read('vcard'));
		if (Object.keys(vcard).length > 0) return vcard;
		throw inputFailure('The contact is empty', 'Add at least one field under Contact');
	},
};

/** The content of the code, from the fields of its type or from the JSON that the user wrote. Failure: input */
export function qrData(context: ItemContext): Data {
	const { read } = context;
	if (read('dataMode') === 'json') return parsedJson('Content', read('dataJson'));
	const type = read('qrType');
	const data = typeof type === 'string' ? DATA_BY_TYPE[type] : undefined;
	if (data) return data(context);
	throw inputFailure(
		`QR Code Type must be one of ${Object.keys(DATA_BY_TYPE).join(', ')}, but is ${quoted(type)}`,
	);
}

/** A text that may be empty, but is always there: the shape is the same for every item. */
function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
