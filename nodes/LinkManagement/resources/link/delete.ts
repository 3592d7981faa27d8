import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const linkDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete short link',
	description: 'Delete a short link for good',
	request: { method: 'DELETE', url: '/api/url/:linkId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [linkLocator],
};
