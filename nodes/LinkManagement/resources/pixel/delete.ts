import type { Operation } from '../../../shared/resources';
import { pixelLocator } from '../../locators';
import { deleted, linkOperation } from '../../service';

export const pixelDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a pixel',
	description: 'Delete a tracking pixel for good',
	request: { method: 'DELETE', url: '/api/pixel/:pixelId/delete' },
	pagination: linkOperation({ results: deleted }),
	fields: [pixelLocator],
};
