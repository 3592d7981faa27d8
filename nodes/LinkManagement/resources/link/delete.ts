import type { Operation } from '../../../shared/resources';
import { linkLocator } from '../../locators';
import { deleted, linkOperation } from '../../service';

export const linkDelete: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a short link',
	description: 'Delete a short link for good',
	request: { method: 'DELETE', url: '/api/url/:linkId/delete' },
	pagination: linkOperation({ results: deleted }),
	fields: [linkLocator],
};
