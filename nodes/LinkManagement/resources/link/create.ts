import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { inBody } from '../../../shared/operations/sentFields';
import { address } from '../../../shared/values/text';
import { linkOperation, requireId } from '../../results';
import { newLinkBody } from './body';
import { linkLabels, newLinkFields, newLinkRedirect, pageIdFormatField } from './fields';
import { writtenLink } from './result';

const fields: readonly INodeProperties[] = [
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://www.example.com/spring-sale',
		description: 'The long URL to shorten',
		routing: inBody('url', address),
	},
	...newLinkRedirect,
	additionalFields(newLinkFields),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [pageIdFormatField],
	},
];

export const linkCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create short link',
	description: 'Shorten a long URL',
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		fields,
		labels: linkLabels,
		body: newLinkBody,
		results: (body, request) => [writtenLink(body, request, requireId(body))],
	}),
	fields,
};
