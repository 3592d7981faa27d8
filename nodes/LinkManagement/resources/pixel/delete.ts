import type { Operation } from '../../../shared/operations/nodeProperties';
import { pixelLocator } from '../../locators';
import { deleteResult, linkOperation } from '../../results';

export const pixelDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete pixel',
	description: 'Delete a tracking pixel for good',
	request: { method: 'DELETE', url: '/api/pixel/:pixelId/delete' },
	pagination: linkOperation({ results: deleteResult }),
	fields: [pixelLocator],
};
