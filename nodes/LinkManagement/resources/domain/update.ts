import type { Operation } from '../../../shared/operations/operation';
import { updateFields } from '../../fields';
import { domainLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { domainFields } from './fields';

export const domainUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update domain',
	description: 'Change the redirects of a branded domain that have a value, and return its ID',
	request: { method: 'PUT', url: '/api/domain/:domainId/update' },
	pagination: linkOperation({ results: updateResult }),
	fields: [domainLocator, updateFields(domainFields)],
};
