import type { INodeProperties } from 'n8n-workflow';

/** The address of a service. */
export const baseUrlField = (placeholder: string): INodeProperties => ({
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder,
	description: 'The URL of the service, with http:// or https:// and without /api',
});

export const apiKeyField = (description: string): INodeProperties => ({
	displayName: 'API Key',
	name: 'apiKey',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	description,
});

/** A header that the user adds to each request to the service; see `keyedRequest`. */
export const extraHeaderFields: INodeProperties[] = [
	{
		displayName: 'Extra Header Name',
		name: 'extraHeaderName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Cookie',
		description:
			'A header that the service, or a bot check in front of it, needs with every request. A header named Authorization replaces the one with the API key.',
	},
	{
		displayName: 'Extra Header Value',
		name: 'extraHeaderValue',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'The value of the header, kept secret like the API key',
	},
];

/** For a service whose certificate is of a company's own authority. */
const ignoreSslField: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if the certificate of the service cannot be validated',
};

/** @param documentedLimit the default, and what an empty field means */
export const requestsPerMinuteField = (documentedLimit: number): INodeProperties => ({
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: documentedLimit,
	description:
		'How many requests all nodes with this credential may send per minute. 0 means no limit.',
});

/** The switch *More Settings*, and the fields that are shown, and count, while it is on. */
export const behindSwitch = (fields: INodeProperties[]): INodeProperties[] => [
	{
		displayName: 'More Settings',
		name: 'moreSettings',
		type: 'boolean',
		default: false,
		description: 'Whether to show settings that few services need. When off, the defaults apply.',
	},
	...[...fields, ignoreSslField].map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, moreSettings: [true] } },
	})),
];
