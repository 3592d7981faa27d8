import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkOperation, requireId } from '../../results';
import { newLinkBody } from './body';
import { linkLabels, newLinkFields, newLinkOptions, newLinkRedirect, newLinkUrl } from './fields';
import { writtenLink } from './result';

const fields: readonly INodeProperties[] = [
	newLinkUrl,
	...newLinkRedirect,
	additionalFields(newLinkFields),
	newLinkOptions,
];

export const linkCreate: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create short link',
	description: 'Shorten a long URL',
	request: { method: 'POST', url: '/api/url/add' },
	pagination: linkOperation({
		labels: linkLabels,
		body: newLinkBody,
		results: (body, request) => [writtenLink(body, request, requireId(body))],
	}),
	fields,
};
