// *Get Statistics* of a link.

import { type Operation } from '../../../shared/operations/operation';
import { linkLocator } from '../../locators';
import { linkDetailsOf, statisticsRows } from '../../records';
import { extraQueryOption } from '../../resourceFields';

export const getStatistics: Operation = {
	name: 'Get Statistics',
	value: 'getStatistics',
	action: 'Get statistics of short link',
	description: 'Return the clicks on a short link, one item per figure, for a sheet or chart',
	request: { method: 'GET', url: '/api/url/:linkId' },
	toItems(body, { ids }) {
		const { id, alias, shorturl, ...details } = linkDetailsOf(ids.linkId ?? 0, body);
		return statisticsRows({ id, alias, shorturl }, details);
	},
	fields: [linkLocator, extraQueryOption],
};
