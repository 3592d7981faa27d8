import type { Operation } from '../../../shared/operations/nodeProperties';
import { domainLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const domainDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete domain',
	description: 'Permanently remove a branded domain',
	request: { method: 'DELETE', url: '/api/domain/:domainId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [domainLocator],
};
