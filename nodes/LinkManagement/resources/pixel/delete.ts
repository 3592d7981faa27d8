import type { Operation } from '../../../shared/operations/operation';
import { pixelLocator } from '../../locators';
import { deletion } from '../../results';

export const pixelDelete: Operation = {
	...deletion('/api/pixel/:pixelId/delete', pixelLocator),
	action: 'Delete pixel',
	description: 'Permanently delete a tracking pixel, and return its ID',
};
