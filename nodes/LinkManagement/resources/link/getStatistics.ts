// *Get Statistics* of a link.

import type { IDataObject } from 'n8n-workflow';

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
	toItems(body, { ids }, { isToolCall }) {
		const { id, alias, shorturl, ...details } = linkDetailsOf(body, ids.linkId ?? 0);
		const link = { id, alias, shorturl };
		const rows = statisticsRows(link, details);
		return isToolCall ? [{ ...link, summary: summaryOf(rows) }, ...rows] : rows;
	},
	fields: [linkLocator, extraQueryOption],
};

/** For an agent, in one line: `12 clicks, 8 unique, top country Germany (5)`. */
function summaryOf(rows: readonly IDataObject[]): string {
	const figures = new Map<unknown, string>();
	const mostFirst = rows.toSorted((a, b) => Number(b.count) - Number(a.count));
	for (const { dimension, label, count } of mostFirst) {
		const [what, name, number] = [dimension, label, count].map(String);
		if (what === 'total') figures.set(name, `${number} ${name === 'clicks' ? name : 'unique'}`);
		else if (count !== 0 && !figures.has(what))
			figures.set(what, `top ${what} ${name} (${number})`);
	}
	return [...figures.values()].join(', ');
}
