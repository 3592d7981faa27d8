import type { INodeProperties } from 'n8n-workflow';

import type { Service } from './connection';

/** The address of a self-hosted service. */
export function baseUrlField(placeholder: string): INodeProperties {
	return {
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder,
		description: 'The address of the service, with http:// or https:// and without /api',
	};
}

export function requestsPerMinuteField({ documentedLimit }: Service): INodeProperties {
	return {
		displayName: 'Requests per Minute',
		name: 'requestsPerMinute',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: documentedLimit,
		description:
			'The most requests that all nodes with this credential send together in a minute. 0 means as fast as possible.',
	};
}
