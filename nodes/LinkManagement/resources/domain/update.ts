import type { IDataObject } from 'n8n-workflow';

import { updateFields } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { changes } from '../../../shared/values';
import { domainLocator } from '../../locators';
import { done, linkOperation } from '../../service';
import { domainBody, domainFields } from './fields';

export const domainUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a domain',
	description: 'Change the redirects of a domain; fields that are not added stay as they are',
	request: { method: 'PUT', url: '/api/domain/:domainId/update' },
	pagination: linkOperation({ body: changedDomainBody, results: done }),
	fields: [domainLocator, updateFields(domainFields)],
};

function changedDomainBody(body: IDataObject): IDataObject {
	return domainBody(changes(body));
}
