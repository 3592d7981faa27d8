// What a QR code contains: a table of its types, from which the fields of the panel and the content that is sent are made.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Row } from '../../../shared/operations/operation';
import { fieldFailure } from '../../../shared/values/failure';
import {
	isBlank,
	parseLine,
	parseNumericLine,
	parseRequiredLine,
	parseSecret,
	parseText,
	type ParameterValues,
	type ParseValue,
	requiredValue,
} from '../../../shared/values/input';
import { mapIn } from '../../../shared/values/json';
import { parseJsonObject, textField } from '../../resourceFields';
import { parseAddress, parseWebAddress } from '../../values/longUrl';
import { parsePhone } from '../../values/phone';

/** Black on white, which is always sent: a code that is made without colors cannot get one later. */
export const COLORS = { background: 'rgb(255,255,255)', foreground: 'rgb(0,0,0)' } as const;

interface ContentField {
	types: readonly string[];
	field: INodeProperties;
	parse: (label: string, value: unknown, parameters: ParameterValues) => IDataObject[string];
	/** Its name in the content, if it is not that of the field. */
	member?: string;
}

const line = (
	types: readonly string[],
	label: string,
	name: string,
	example: string,
	parse: ParseValue<string>,
): ContentField => ({ types, field: textField(label, name, example), parse: requiredValue(parse) });

/** Sent empty if it is blank. */
const optionalText = (
	type: string,
	label: string,
	name: string,
	example: string,
): ContentField => ({
	types: [type],
	field: { ...textField(label, name, example), typeOptions: { rows: 2 } },
	parse: (_label, value) => (isBlank(value) ? '' : parseText(label, value)),
});

/** The parts of a contact, by the names that services read. */
const CONTACT: ReadonlyArray<[label: string, name: string, example: string, ParseValue<string>]> = [
	['City', 'city', 'Berlin', parseLine],
	['Company', 'company', 'Example Ltd', parseLine],
	['Country', 'country', 'Germany', parseLine],
	['Email', 'email', 'name@email.com', parseLine],
	['First Name', 'fname', 'Ada', parseLine],
	['Last Name', 'lname', 'Lovelace', parseLine],
	['Phone', 'phone', '+49 30 901820', parsePhone],
	['Postal Code', 'zip', '10117', parseNumericLine],
	['State', 'state', 'Berlin', parseLine],
	['Street', 'street', 'Unter den Linden 1', parseLine],
	['Website', 'site', 'https://www.example.com', parseWebAddress],
];

const contactField: INodeProperties = {
	displayName: 'Contact',
	name: 'vcard',
	type: 'collection',
	placeholder: 'Add Field',
	default: { fname: '', lname: '', phone: '', email: '' },
	description: 'The contact that the QR code adds to an address book',
	options: CONTACT.map(([label, name, example]) => textField(label, name, example)),
};

/** The parts that have a value; services read the company under `org`. @throws Failure if there are none */
function parseContact(label: string, value: unknown): IDataObject {
	const entered = mapIn(value);
	const filled = CONTACT.filter(([, name]) => !isBlank(entered[name]));
	if (filled.length === 0) throw fieldFailure(label, 'is empty', 'Fill in at least one field');
	const parts = filled.map(([part, name, , parse]) => [name, parse(part, entered[name])] as const);
	const contact: IDataObject = Object.fromEntries(parts);
	return 'company' in contact ? { ...contact, org: contact.company } : contact;
}

const encryption: INodeProperties = {
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
};

const wifiPassword: INodeProperties = {
	...textField('Wi-Fi Password', 'wifiPassword', 'a long sentence'),
	typeOptions: { password: true },
	displayOptions: { hide: { encryption: ['nopass'] } },
};

const parseWifiPassword: ContentField['parse'] = (label, value, parameters) =>
	parameters.encryption === 'nopass' ? '' : requiredValue(parseSecret)(label, value);

/** A type with one field contains its value, any other a map, whose members the API document does not show. */
const FIELDS: readonly ContentField[] = [
	{ types: ['vcard'], field: contactField, parse: parseContact },
	line(['email'], 'Email', 'email', 'name@email.com', parseLine),
	optionalText('email', 'Subject', 'subject', 'Question about an order'),
	optionalText('email', 'Body', 'body', 'Hello,'),
	line(['link'], 'URL', 'contentUrl', 'https://example.com', parseAddress),
	line(['phone', 'sms'], 'Phone', 'phone', '+49 30 901820', parsePhone),
	optionalText('sms', 'Message', 'message', 'Stop'),
	{ ...optionalText('text', 'Text', 'text', 'Table 7'), parse: requiredValue(parseText) },
	line(['wifi'], 'Network Name', 'ssid', 'Guests', parseText),
	{ types: ['wifi'], field: encryption, parse: parseRequiredLine },
	{ types: ['wifi'], field: wifiPassword, parse: parseWifiPassword, member: 'pass' },
];

/** The type, and the fields of all types, or JSON where the content is a map. */
export const contentFields: readonly INodeProperties[] = [
	{
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
	},
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
	...FIELDS.map(({ types, field }) => ({
		...field,
		displayOptions: {
			show: { qrType: [...types] },
			hide: { ...field.displayOptions?.hide, dataMode: ['json'] },
		},
	})),
];

/** What is sent as `type` and `data`. @throws Failure that names the field that cannot be sent */
export function qrContent({ parameters }: Row): IDataObject {
	const type = parseRequiredLine('QR Code Type', parameters.qrType);
	if (parameters.dataMode === 'json')
		return { type, data: requiredValue(parseJsonObject)('Content', parameters.dataJson) };
	const members = FIELDS.filter(({ types }) => types.includes(type)).map(
		({ field: { displayName, name }, parse, member = name }) =>
			[member, parse(displayName, parameters[name], parameters)] as const,
	);
	return { type, data: members.length === 1 ? members[0]?.[1] : Object.fromEntries(members) };
}
