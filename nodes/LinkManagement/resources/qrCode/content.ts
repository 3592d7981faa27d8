// What a QR code contains: a table of its types, from which the fields of the panel and the content that is sent are made.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RowInput } from '../../../shared/operations/operation';
import { fieldFailure, quoted } from '../../../shared/values/failure';
import {
	isBlank,
	parseJson,
	parseLine,
	parseSecret,
	parseText,
	type ParameterValues,
	type ParseValue,
	requiredValue,
} from '../../../shared/values/input';
import { isRecord } from '../../../shared/values/json';
import { textField } from '../../resourceFields';
import { parseAddress } from '../../values/address';
import { parsePhone } from '../../values/phone';
import { contactField, parseContact } from './contact';

/** Black on white, which is always sent: a code that is made without colors cannot get one later. */
export const COLORS = { background: 'rgb(255,255,255)', foreground: 'rgb(0,0,0)' } as const;

/** What a field is called, its name, an example, and what it is for. */
type Words = [label: string, name: string, example: string, description: string];

interface ContentField {
	field: INodeProperties;
	parse: (label: string, value: unknown, parameters: ParameterValues) => IDataObject[string];
}

const shown = (...[label, name, example, description]: Words): INodeProperties => ({
	...textField(label, name, example),
	description,
});

const required = (parse: ParseValue<string>, ...words: Words): ContentField => ({
	field: shown(...words),
	parse: requiredValue(parse),
});

/** A text, which is sent empty if it is blank. */
const optional = (...words: Words): ContentField => ({
	field: { ...shown(...words), typeOptions: { rows: 2 } },
	parse: (label, value) => (isBlank(value) ? '' : parseText(label, value)),
});

const TEXT: ContentField = {
	...optional('Text', 'text', 'Table 7', 'The text to show'),
	parse: requiredValue(parseText),
};

const PHONE = required(parsePhone, 'Phone', 'phone', '+49 30 901820', 'The number to call');

const ENCRYPTION: ContentField = {
	field: {
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
	},
	parse: parseLine,
};

const WIFI_PASSWORD: ContentField = {
	field: {
		...shown('Wi-Fi Password', 'wifiPassword', 'a long sentence', 'The password of the network'),
		typeOptions: { password: true },
		displayOptions: { hide: { encryption: ['nopass'] } },
	},
	parse: (label, value, { encryption }) =>
		encryption === 'nopass' ? '' : requiredValue(parseSecret)(label, value),
};

/** What a type contains: by the members of `data`, which the API document does not show; or `data` itself. */
interface QrType {
	name: string;
	fields: Readonly<Record<string, ContentField>>;
}

const TYPES: Readonly<Record<string, QrType>> = {
	vcard: {
		name: 'Contact (vCard)',
		fields: { data: { field: contactField, parse: parseContact } },
	},
	email: {
		name: 'Email',
		fields: {
			email: required(parseLine, 'Email', 'email', 'name@email.com', 'The address to write to'),
			subject: optional('Subject', 'subject', 'Question about an order', 'What it is about'),
			body: optional('Body', 'body', 'Hello,', 'The text of the email'),
		},
	},
	link: {
		name: 'Link',
		fields: {
			data: required(parseAddress, 'URL', 'contentUrl', 'https://example.com', 'What to open'),
		},
	},
	phone: { name: 'Phone', fields: { data: PHONE } },
	sms: {
		name: 'SMS',
		fields: {
			phone: PHONE,
			message: optional('Message', 'message', 'Stop', 'The text of the message'),
		},
	},
	text: { name: 'Text', fields: { data: TEXT } },
	wifi: {
		name: 'Wi-Fi',
		fields: {
			ssid: required(parseText, 'Network Name', 'ssid', 'Guests', 'The name (SSID) of the network'),
			encryption: ENCRYPTION,
			pass: WIFI_PASSWORD,
		},
	},
};

export const qrTypeField: INodeProperties = {
	displayName: 'QR Code Type',
	name: 'qrType',
	type: 'options',
	options: Object.entries(TYPES).map(([value, { name }]) => ({ name, value })),
	default: 'link',
	description: 'What the QR code contains',
};

const FIELDS: ReadonlySet<ContentField> = new Set(
	Object.values(TYPES).flatMap(({ fields }) => Object.values(fields)),
);

const typesWith = (field: ContentField): string[] =>
	Object.keys(TYPES).filter((type) => Object.values(TYPES[type]?.fields ?? {}).includes(field));

/** The fields of all types, or JSON where `data` is a map. */
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
	...[...FIELDS].map((each) => ({
		...each.field,
		displayOptions: {
			show: { qrType: typesWith(each) },
			hide: { ...each.field.displayOptions?.hide, dataMode: ['json'] },
		},
	})),
];

/** What is sent as `data`. @throws Failure that names the field that cannot be sent */
export function qrContent({ parameters }: RowInput): IDataObject[string] {
	if (parameters.dataMode === 'json') return jsonContent('Content', parameters.dataJson);
	const content: IDataObject = {};
	const { fields = {} } = TYPES[String(parameters.qrType)] ?? {};
	for (const [member, { field, parse }] of Object.entries(fields))
		content[member] = parse(field.displayName, parameters[field.name], parameters);
	return content.data ?? content;
}

function jsonContent(label: string, value: unknown): IDataObject | unknown[] {
	const content = requiredValue(parseJson)(label, value);
	if (isRecord(content) || Array.isArray(content)) return content;
	throw fieldFailure(label, `must be a JSON object or list, but is ${quoted(content)}`);
}
