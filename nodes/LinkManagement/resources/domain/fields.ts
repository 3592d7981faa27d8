import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/sentFields';
import { textField } from '../../fields';
import { address } from '../../values/address';

/** What create and update have in common. */
export const domainFields: readonly INodeProperties[] = [
	{
		...textField('Not Found Redirect', 'notFoundRedirect', 'https://www.example.com/not-found'),
		description: 'Where to send visitors of a link that does not exist',
		routing: inBody('redirect404', address, ''),
	},
	{
		...textField('Root Redirect', 'rootRedirect', 'https://www.example.com'),
		description: 'Where to send visitors of the bare domain',
		routing: inBody('redirectroot', address, ''),
	},
];
