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
import { integerIn, textIn } from '../shared/values/json';
import { parseCount, isBlank } from '../shared/values/input';
import { extraQueryField } from './resourceFields';
import type { PagedList } from './serviceLists';
import { parseDatetime } from './values/dateTime';

/** Keeps records whose value is within the bound that a field holds; a record without a value is not. */
const boundFilter = <T extends number | string>(
	field: INodeProperties,
	parse: (label: string, value: unknown, input: RowInput) => T,
	of: (record: IDataObject) => T | undefined,
	isWithin: (value: T, bound: T) => boolean,
): ListFilter => ({
	fields: [field],
	test(entered, input) {
		const held = entered[field.name];
		if (isBlank(held)) return undefined;
		const bound = parse(field.displayName, held, input);
		return (record) => {
			const value = of(record);
			return value !== undefined && isWithin(value, bound);
		};
	},
});

/** Both times are in the service's time zone and in one format, so they are compared as texts. */
const createdFilter = (
	displayName: string,
	name: string,
	description: string,
	isWithin: (date: string, bound: string) => boolean,
): ListFilter =>
	boundFilter(
		{
			displayName,
			name,
			type: 'dateTime',
			default: '',
			description: `${description}. Links without a date are not returned.`,
		},
		(label, value, { zones }) => parseDatetime(label, value, zones),
		({ date }) => textIn(date),
		isWithin,
	);

const clicksFilter = (
	displayName: string,
	name: string,
	description: string,
	isWithin: (clicks: number, bound: number) => boolean,
): ListFilter =>
	boundFilter(
		{
			displayName,
			name,
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description,
		},
		parseCount,
		({ clicks }) => integerIn(clicks),
		isWithin,
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
		createdFilter(
			'Created After',
			'createdAfter',
			'Return only links created at this time or later',
			(date, bound) => date >= bound,
		),
		createdFilter(
			'Created Before',
			'createdBefore',
			'Return only links created before this time',
			(date, bound) => date < bound,
		),
		clicksFilter(
			'Clicks at Least',
			'minClicks',
			'Return only links with at least this many clicks',
			(clicks, bound) => clicks >= bound,
		),
		clicksFilter(
			'Clicks at Most',
			'maxClicks',
			'Return only links with at most this many clicks',
			(clicks, bound) => clicks <= bound,
		),
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
