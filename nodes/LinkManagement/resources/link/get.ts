import type { Operation } from '../../../shared/resources';
import { linkLocator } from '../../locators';
import { linkDetails, linkOperation } from '../../service';

export const linkGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a short link',
	description: 'Get the details and the statistics of a short link',
	request: { method: 'GET', url: '/api/url/:linkId' },
	pagination: linkOperation({ results: (body) => [linkDetails(body)] }),
	fields: [linkLocator],
};
