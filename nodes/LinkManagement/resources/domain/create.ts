import type { IDataObject } from 'n8n-workflow';

import { additionalFields, inBody } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredWebAddress } from '../../../shared/values/text';
import { createdRecord, linkOperation } from '../../results';
import { domainBody, domainFields } from './fields';

export const domainCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a domain',
	description: "Add a branded domain, which must already point to the service's server",
	request: { method: 'POST', url: '/api/domain/add' },
	pagination: linkOperation({ body: newDomainBody, results: createdRecord }),
	fields: [
		{
			displayName: 'Domain',
			name: 'domain',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://go.example.com',
			description:
				"The branded domain with http:// or https://. It must already point to the service's server.",
			routing: inBody('domain'),
		},
		additionalFields(domainFields),
	],
};

function newDomainBody(body: IDataObject): IDataObject {
	return { ...domainBody(body), domain: requiredWebAddress('Domain', body.domain) };
}
