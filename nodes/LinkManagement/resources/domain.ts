// Branded domains (document: "Domain").

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../shared/operations/operation';
import { inBody } from '../../shared/operations/requestFields';
import { withoutTrailingSlashes } from '../../shared/values/webAddress';
import { additionalFields, textField, updateFields } from '../resourceFields';
import { getMany } from '../getMany';
import { domains } from '../serviceLists';
import { domainLocator } from '../locators';
import { change, creation, deletion } from '../writeResults';
import { parseAddress, parseWebAddress } from '../values/longUrl';

/** What create and update have in common. */
const fields: readonly INodeProperties[] = [
	{
		...textField('Not Found Redirect', 'notFoundRedirect', 'https://www.example.com/not-found'),
		description: 'Where to send visitors of a link that does not exist',
		routing: inBody('redirect404', parseAddress, ''),
	},
	{
		...textField('Root Redirect', 'rootRedirect', 'https://www.example.com'),
		description: 'Where to send visitors of the bare domain',
		routing: inBody('redirectroot', parseAddress, ''),
	},
];

export const create: Operation = {
	...creation('/api/domain/add'),
	action: 'Create domain',
	description: 'Add a branded domain, and return its ID',
	fields: [
		{
			...textField('Domain', 'domainName', 'https://go.example.com'),
			required: true,
			description:
				"The branded domain with http:// or https://. It must already point to the service's server.",
			routing: inBody('domain', (label, value) =>
				withoutTrailingSlashes(parseWebAddress(label, value)),
			),
		},
		additionalFields(fields),
	],
};

export const remove: Operation = {
	...deletion('/api/domain/:domainId/delete', domainLocator),
	action: 'Delete domain',
	description: 'Permanently remove a branded domain, and return its ID',
};

export const getAll: Operation = {
	...getMany(domains),
	action: 'Get many domains',
	description: 'Return the branded domains of the account, one item each',
};

export const update: Operation = {
	...change('/api/domain/:domainId/update'),
	action: 'Update domain',
	description: 'Change the redirects of a branded domain that have a value, and return its ID',
	fields: [domainLocator, updateFields(fields)],
};
