// *Get Many* of the lists of the service, and what their records can be filtered by.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField, returnAllAndLimit } from '../shared/operations/fields';
import {
	filtersField,
	type ListFilter,
	listOperation,
	searchFilter,
} from '../shared/operations/listOperation';
import type { Operation, Plan } from '../shared/operations/operation';
import { sentNames } from '../shared/operations/sentFields';
import type { RunOperation } from '../shared/operations/runOperation';
import { integerIn } from '../shared/values/json';
import { count } from '../shared/values/input';
import { extraQueryField, withExtra } from './fields';
import type { PagedList } from './lists';
import { linkService } from './service';
import { namedLists } from './locators';
import { rangeFilter } from './rangeFilter';
import { datetimeIn, serviceDatetime } from './values/dateTime';

const dateField = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
	description: `${description}. Links without a date are not returned.`,
});

/** Both times are in the service's time zone and in one format, so they are compared as texts. */
const createdFilter = rangeFilter({
	from: dateField(
		'Created After',
		'createdAfter',
		'Return only links created at this time or later',
	),
	to: dateField('Created Before', 'createdBefore', 'Return only links created before this time'),
	includesEnd: false,
	parse: (label, value, { zones }) => serviceDatetime(label, value, zones),
	of: ({ date }) => datetimeIn(date),
});

const countField = (
	displayName: string,
	name: string,
	count: number,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	default: count,
	description,
	typeOptions: { minValue: 0 },
});

const clicksFilter = rangeFilter({
	from: countField(
		'Clicks at Least',
		'minClicks',
		1,
		'Return only links with at least this many clicks',
	),
	to: countField(
		'Clicks at Most',
		'maxClicks',
		0,
		'Return only links with at most this many clicks',
	),
	includesEnd: true,
	parse: count,
	of: ({ clicks }) => integerIn(clicks),
});

/** What each list can be filtered by, under the name of its array. */
const LIST_FILTERS: Readonly<Record<string, readonly ListFilter[]>> = {
	campaigns: [searchFilter('name')],
	channels: [searchFilter('name', 'description')],
	cta: [searchFilter('name')],
	domains: [searchFilter('domain')],
	items: [searchFilter('title', 'link')],
	pixels: [searchFilter('name', 'tag')],
	qrs: [searchFilter('name', 'link')],
	splash: [searchFilter('name')],
	urls: [
		searchFilter('alias', 'title', 'shorturl', 'longurl', 'description'),
		createdFilter,
		clicksFilter,
	],
};

/** @param options that only this list has */
export const listFields = (
	listName: string,
	options: readonly INodeProperties[] = [],
): INodeProperties[] => [
	...returnAllAndLimit,
	filtersField(LIST_FILTERS[listName] ?? []),
	optionsField([...options, extraQueryField]),
];

/** What a list sends for each page. */
const PAGE_QUERY = ['limit', 'page'];

/** A list operation; see `listOperation`. Its locator may hold a name instead of an id. */
export const linkList =
	(listName: string, recordOf: (entry: IDataObject) => IDataObject): RunOperation =>
	(data) => {
		const inQuery = [...PAGE_QUERY, ...sentNames(data.fields, 'query')];
		const plan: Plan = {
			lists: namedLists,
			query: (query) => withExtra(extraQueryField, inQuery, query),
		};
		const filters = LIST_FILTERS[listName] ?? [];
		return listOperation(linkService, listName, recordOf, filters, plan)(data);
	};

/** What *Get Many* is for every list. @param options that only this list has */
export const getMany = (
	{ source: { path, listName }, recordOf }: PagedList,
	options: readonly INodeProperties[] = [],
): Omit<Operation, 'action' | 'description'> => ({
	name: 'Get Many',
	value: 'getAll',
	request: { method: 'GET', url: path },
	pagination: linkList(listName, recordOf),
	fields: listFields(listName, options),
});
