// *Get Many* of the lists of the service, and what their records can be filtered by.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField, returnAllAndLimit } from '../shared/operations/panelFields';
import type { RowInput, Operation } from '../shared/operations/operation';
import {
	filtersField,
	type ListFilter,
	readPages,
	searchFilter,
} from '../shared/operations/getMany';
import type { ListNames } from '../shared/lists/pages';
import { fieldFailure } from '../shared/values/failure';
import { integerIn, mapIn, textIn } from '../shared/values/json';
import { parseCount, isBlank } from '../shared/values/input';
import { isReadUntil } from './records';
import { extraQueryField } from './resourceFields';
import type { PagedList } from './serviceLists';
import { parseDatetime } from './values/dateTime';

/** Keeps records whose value is within two bounds, each of which may be empty; a record without a value is not kept. */
const rangeFilter = <T extends number | string>(
	[from, to]: readonly [INodeProperties, INodeProperties],
	parse: (label: string, value: unknown, input: RowInput) => T,
	of: (record: IDataObject) => T | undefined,
	isUpTo: (value: T, bound: T) => boolean,
): ListFilter => ({
	fields: [from, to],
	test(entered, input) {
		const [least, most] = [from, to].map(({ name, displayName }) =>
			isBlank(entered[name]) ? undefined : parse(displayName, entered[name], input),
		);
		if (least === undefined && most === undefined) return undefined;
		const isWithin = (value: T): boolean =>
			(least === undefined || value >= least) && (most === undefined || isUpTo(value, most));
		if (least !== undefined && !isWithin(least))
			throw fieldFailure(
				to.displayName,
				`and '${from.displayName}' exclude each other`,
				'Swap them, or leave one empty',
			);
		return (record) => {
			const value = of(record);
			return value !== undefined && isWithin(value);
		};
	},
});

const createdField = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
	description: `${description}. Links without a date are not returned.`,
});

const clicksField = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description,
});

/** Both times are in the service's time zone and in one format, so they are compared as texts. */
const createdRange = rangeFilter(
	[
		createdField(
			'Created After',
			'createdAfter',
			'Return only links created at this time or later',
		),
		createdField('Created Before', 'createdBefore', 'Return only links created before this time'),
	],
	(label, value, { zones }) => parseDatetime(label, value, zones),
	({ date }) => textIn(date),
	(date, bound) => date < bound,
);

const createdFilter: ListFilter = {
	...createdRange,
	ends({ createdAfter }, { parameters, zones }) {
		if (isBlank(createdAfter) || mapIn(parameters.options).order === 'click') return undefined;
		const since = parseDatetime('Created After', createdAfter, zones);
		return (links) => isReadUntil(links, since);
	},
};

const clicksFilter = rangeFilter(
	[
		clicksField('Clicks at Least', 'minClicks', 'Return only links with at least this many clicks'),
		clicksField('Clicks at Most', 'maxClicks', 'Return only links with at most this many clicks'),
	],
	parseCount,
	({ clicks }) => integerIn(clicks),
	(clicks, bound) => clicks <= bound,
);

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
