import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { requiredWebAddress } from '../../../shared/values';
import { domainBody, domainFields } from './fields';

const show = { resource: 'domain', operations: ['create'] };

export const domainCreateFields: INodeProperties[] = [
	{
		displayName: 'Domain',
		name: 'domain',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://go.example.com',
		description:
			"The branded domain with http:// or https://. It must already point to the service's server.",
		displayOptions: shownFor(show),
		routing: inBody('domain'),
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: domainFields,
	},
];

export function newDomainBody(body: IDataObject): IDataObject {
	return { ...domainBody(body), domain: requiredWebAddress('Domain', body.domain) };
}
