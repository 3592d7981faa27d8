import type { IDataObject } from 'n8n-workflow';

import { updateFields } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requireChanges } from '../../../shared/values/text';
import { domainLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { domainBody, domainFields } from './fields';

export const domainUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a domain',
	description: 'Change the redirects of a domain; fields that are not added stay as they are',
	request: { method: 'PUT', url: '/api/domain/:domainId/update' },
	pagination: linkOperation({ body: changedDomainBody, results: updateResult }),
	fields: [domainLocator, updateFields(domainFields)],
};

function changedDomainBody(body: IDataObject): IDataObject {
	return domainBody(requireChanges(body));
}
