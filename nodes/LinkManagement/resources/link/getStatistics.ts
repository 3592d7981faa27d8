import type { Operation } from '../../../shared/operations/operation';
import { extraQueryOption } from '../../fields';
import { linkLocator } from '../../locators';
import { statisticsRows, linkDetails } from '../../records';
import { linkOperation } from '../../results';

export const linkGetStatistics: Operation = {
	name: 'Get Statistics',
	value: 'getStatistics',
	action: 'Get statistics of short link',
	description: 'Return the clicks on a short link, one item per figure, for a sheet or chart',
	request: { method: 'GET', url: '/api/url/:linkId' },
	pagination: linkOperation({
		results(body) {
			const { id, alias, shorturl, ...details } = linkDetails(body);
			return statisticsRows({ id, alias, shorturl }, details);
		},
	}),
	fields: [linkLocator, extraQueryOption],
};
