import type { Operation } from '../../../shared/operations/operation';
import { domainLocator } from '../../locators';
import { deletion } from '../../results';

export const domainDelete: Operation = {
	...deletion('/api/domain/:domainId/delete', domainLocator),
	action: 'Delete domain',
	description: 'Permanently remove a branded domain, and return its ID',
};
