import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const linkDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete short link',
	description: 'Permanently delete a short link',
	request: { method: 'DELETE', url: '/api/url/:linkId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [linkLocator],
};
