import type { Operation } from '../../../shared/operations/nodeProperties';
import { pixelLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const pixelDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete pixel',
	description: 'Permanently delete a tracking pixel',
	request: { method: 'DELETE', url: '/api/pixel/:pixelId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [pixelLocator],
};
