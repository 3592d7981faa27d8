import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkLocator } from '../../locators';
import { linkDetails } from '../../records';
import { linkOperation } from '../../results';

export const linkGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get short link',
	description: 'Get the details and the statistics of a short link',
	request: { method: 'GET', url: '/api/url/:linkId' },
	pagination: linkOperation({ results: (body) => [linkDetails(body)] }),
	fields: [linkLocator],
};
