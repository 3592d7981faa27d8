// Short links (document: "Short link"): reading and deleting them. Each write has a file of its own.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../shared/operations/operation';
import { simplified } from '../../../shared/operations/output';
import { simplifyField } from '../../../shared/operations/panelFields';
import { inQuery } from '../../../shared/operations/requestFields';
import type { ParameterValues } from '../../../shared/values/input';
import { mapIn } from '../../../shared/values/json';
import { getMany } from '../../getMany';
import { linkLocator } from '../../locators';
import { linkDetailsOf, statisticsRows } from '../../records';
import { extraQueryOption } from '../../resourceFields';
import { links } from '../../serviceLists';
import { deletion } from '../../writeResults';

export { create } from './create';
export { update } from './update';
export { upsert } from './upsert';

export const remove: Operation = {
	...deletion('/api/url/:linkId/delete', linkLocator),
	action: 'Delete short link',
	description: 'Permanently delete a short link, and return its ID',
};

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get short link',
	description: 'Return the details of a short link with its clicks',
	request: { method: 'GET', url: '/api/url/:linkId' },
	prepare: (row) => async (request) => {
		const { linkId: id = 0 } = request.ids;
		const found = row.list(links).get(id);
		// A link that was looked up by its short URL came with its details.
		const isComplete = found !== undefined && 'statistics' in found;
		const details =
			isComplete && Object.keys(request.query).length === 0
				? found
				: linkDetailsOf((await row.send(request)).body, id);
		return [{ json: simpleLink(details, row.parameters) }];
	},
	fields: [linkLocator, simplifyField, extraQueryOption],
};

const SIMPLE_LINK = ['id', 'alias', 'shorturl', 'longurl', 'title', 'expiry', 'date', 'statistics'];

/** A simplified link has of its statistics only the totals. */
function simpleLink(details: IDataObject, parameters: ParameterValues): IDataObject {
	const { statistics, ...link } = simplified(details, parameters, SIMPLE_LINK);
	return {
		...link,
		statistics: simplified(mapIn(statistics), parameters, ['clicks', 'uniqueClicks']),
	};
}

const orderField: INodeProperties = {
	displayName: 'Order By',
	name: 'order',
	type: 'options',
	options: [
		{ name: 'Service Default', value: '' },
		{ name: 'Clicks', value: 'click' },
		{ name: 'Date', value: 'date' },
	],
	default: '',
	description: 'What to sort the links by; the service decides the direction',
	routing: inQuery('order'),
};

export const getAll: Operation = {
	...getMany(links, [orderField]),
	action: 'Get many short links',
	description: 'Return the short links of the account with their clicks, one item each',
};

export const getStatistics: Operation = {
	name: 'Get Statistics',
	value: 'getStatistics',
	action: 'Get statistics of short link',
	description: 'Return the clicks on a short link, one item per figure, for a sheet or chart',
	request: { method: 'GET', url: '/api/url/:linkId' },
	toItems(body, { ids }) {
		const { id, alias, shorturl, ...details } = linkDetailsOf(body, ids.linkId ?? 0);
		return statisticsRows({ id, alias, shorturl }, details);
	},
	fields: [linkLocator, extraQueryOption],
};
