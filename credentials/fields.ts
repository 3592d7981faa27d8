import type { INodeProperties } from 'n8n-workflow';

/** The address of a self-hosted service. */
export const baseUrlField = (placeholder: string): INodeProperties => ({
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder,
	description: 'The address of the service, with http:// or https:// and without /api',
});

/** @param documentedLimit the default, and what an empty field means */
export const requestsPerMinuteField = (documentedLimit: number): INodeProperties => ({
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: documentedLimit,
	description:
		'The most requests that all nodes with this credential send together in a minute. 0 means as fast as possible.',
});
