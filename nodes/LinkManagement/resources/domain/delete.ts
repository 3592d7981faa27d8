import type { Operation } from '../../../shared/resources';
import { domainLocator } from '../../locators';
import { deleted, linkOperation } from '../../service';

export const domainDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a domain',
	description: 'Remove a branded domain for good',
	request: { method: 'DELETE', url: '/api/domain/:domainId/delete' },
	pagination: linkOperation({ results: deleted }),
	fields: [domainLocator],
};
