import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../../shared/fields';
import { changes } from '../../../shared/values';
import { domainLocator } from '../../locators';
import { domainBody, domainFields } from './fields';

const show = { resource: 'domain', operations: ['update'] };

export const domainUpdateFields: INodeProperties[] = [
	domainLocator(show),
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor(show),
		options: domainFields,
	},
];

export function changedDomainBody(body: IDataObject): IDataObject {
	return domainBody(changes(body));
}
