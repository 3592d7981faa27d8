// *Get*, *Get Many* and *Get Statistics* of links.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { simplified, simplifyField } from '../../../shared/operations/panelFields';
import type { Operation } from '../../../shared/operations/operation';
import { inQuery } from '../../../shared/operations/requestFields';
import type { GetParameter } from '../../../shared/values/input';
import { mapIn } from '../../../shared/values/json';
import { extraQueryOption } from '../../resourceFields';
import { getMany } from '../../getMany';
import { links } from '../../serviceLists';
import { linkLocator } from '../../locators';
import { linkDetails, statisticsRows } from '../../records';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get short link',
	description: 'Return the details of a short link with its clicks',
	request: { method: 'GET', url: '/api/url/:linkId' },
	toItems: (body, _request, { parameter }) => [simpleLink(linkDetails(body), parameter)],
	fields: [linkLocator, simplifyField, extraQueryOption],
};

const MEMBERS = ['id', 'alias', 'shorturl', 'longurl', 'title', 'expiry', 'date', 'statistics'];

/** A simplified link has of its statistics only the totals. */
function simpleLink(details: IDataObject, parameter: GetParameter): IDataObject {
	const { statistics, ...link } = simplified(details, parameter, MEMBERS);
	return {
		...link,
		statistics: simplified(mapIn(statistics), parameter, ['clicks', 'uniqueClicks']),
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
	toItems(body) {
		const { id, alias, shorturl, ...details } = linkDetails(body);
		return statisticsRows({ id, alias, shorturl }, details);
	},
	fields: [linkLocator, extraQueryOption],
};
