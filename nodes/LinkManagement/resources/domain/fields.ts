import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { address } from '../../values/address';

/** What create and update have in common. */
export const domainFields: readonly INodeProperties[] = [
	{
		displayName: 'Not Found Redirect',
		name: 'notFoundRedirect',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com/not-found',
		description: 'Where to send visitors of a link that does not exist',
		routing: inBody('redirect404', address),
	},
	{
		displayName: 'Root Redirect',
		name: 'rootRedirect',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com',
		description: 'Where to send visitors of the bare domain',
		routing: inBody('redirectroot', address),
	},
];
