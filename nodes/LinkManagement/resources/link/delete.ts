import type { Operation } from '../../../shared/operations/operation';
import { linkLocator } from '../../locators';
import { deletion } from '../../results';

export const linkDelete: Operation = {
	...deletion('/api/url/:linkId/delete', linkLocator),
	action: 'Delete short link',
	description: 'Permanently delete a short link, and return its ID',
};
