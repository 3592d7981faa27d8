// *Get Many* of the lists of the service, and what their records can be filtered by.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField, returnAllAndLimit } from '../shared/operations/panelFields';
import type { Operation } from '../shared/operations/operation';
import {
	filtersField,
	type ListFilter,
	readPages,
	searchFilter,
} from '../shared/operations/getMany';
import type { ListNames } from '../shared/lists/pages';
import { mapIn, textIn } from '../shared/values/json';
import { isBlank } from '../shared/values/input';
import { isReadUntil } from './records';
import { extraQueryField } from './resourceFields';
import type { PagedList } from './serviceLists';
import { parseDatetime } from './values/dateTime';

const createdField: INodeProperties = {
	displayName: 'Created After',
	name: 'createdAfter',
	type: 'dateTime',
	default: '',
	description:
		'Return only links created at this time or later. Links without a date are not returned.',
};

/** Both times are in the service's time zone and in one format, so they are compared as texts. */
const createdFilter: ListFilter = {
	fields: [createdField],
	test({ createdAfter }, { zones }) {
		if (isBlank(createdAfter)) return undefined;
		const since = parseDatetime(createdField.displayName, createdAfter, zones());
		return ({ date }) => (textIn(date) ?? '') >= since;
	},
	ends({ createdAfter }, { parameters, zones }) {
		if (isBlank(createdAfter) || mapIn(parameters.options).order === 'click') return undefined;
		const since = parseDatetime(createdField.displayName, createdAfter, zones());
		return (links) => isReadUntil(links, since);
	},
};

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
	urls: [searchFilter('alias', 'title', 'shorturl', 'longurl', 'description'), createdFilter],
};

export const listFields = (
	listName: string,
	options: readonly INodeProperties[] = [],
): INodeProperties[] => [
	...returnAllAndLimit,
	filtersField(LIST_FILTERS[listName] ?? []),
	optionsField([...options, extraQueryField]),
];

export const readList = (names: ListNames, recordOf: (entry: IDataObject) => IDataObject) =>
	readPages(names, recordOf, LIST_FILTERS[names.listName] ?? []);

/** @param options that only this list has */
export const getMany = (
	{ source, recordOf }: PagedList,
	options: readonly INodeProperties[] = [],
): Omit<Operation, 'action' | 'description'> => ({
	name: 'Get Many',
	value: 'getAll',
	request: { method: 'GET', url: source.path },
	...readList(source, recordOf),
	fields: listFields(source.listName, options),
});
