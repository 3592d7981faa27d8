import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { additionalFields, textField } from '../../fields';
import { createdRecord, linkOperation } from '../../results';
import { webAddress } from '../../values/address';
import { domainFields } from './fields';

export const domainCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create domain',
	description: 'Add a branded domain, and return its ID',
	request: { method: 'POST', url: '/api/domain/add' },
	pagination: linkOperation({ results: createdRecord }),
	fields: [
		{
			...textField('Domain', 'domainName', 'https://go.example.com'),
			required: true,
			description:
				"The branded domain with http:// or https://. It must already point to the service's server.",
			routing: inBody('domain', webAddress),
		},
		additionalFields(domainFields),
	],
};
