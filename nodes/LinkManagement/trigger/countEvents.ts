// The events that compare counts, such as clicks, as data: what each watches, where its count is, and what starts the workflow.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NamedList } from '../../shared/lists/namedList';
import { recordKey } from '../../shared/lists/listPages';
import type { ListSource } from '../../shared/lists/pages';
import { type RecordRef as RecordPick, parseLocator } from '../../shared/operations/parameters';
import { fieldFailure, quoted } from '../../shared/values/failure';
import { countIn, idIn, mapIn, pickedValue } from '../../shared/values/json';
import { isBlank, type ParameterValues } from '../../shared/values/input';
import { channels, type Details, links, type PagedList, qrCodes } from '../serviceLists';
import { record } from '../records';
import { channelField, watchedLinkField, watchedQrCodeField } from './triggerFields';

/** What an event watches in a list whose records each have a count. */
export interface CountedList {
	source: ListSource;
	/** Of a picked record, if it is read by itself. */
	details?: Details | undefined;
	recordOf: (entry: IDataObject) => IDataObject;
	/** Identifies a record; default: by its id. */
	keyOf?(record: IDataObject): string;
	/** Undefined if it cannot be read. */
	countOf(record: IDataObject): number | undefined;
	/** The lowest milestone: in a list by count, reading ends below it. With milestones, the highest count is stored, not the last. */
	lowest?: number | undefined;
	/** The output of a record; undefined if nothing happened. @param before the last count; undefined if the record is new */
	changed(record: IDataObject, count: number, before: number | undefined): IDataObject | undefined;
}

export interface CountEvent {
	/** What identifies the event besides the picked record; when it changes, the trigger starts over. */
	setting?(parameters: ParameterValues): unknown;
	/** The record to watch; undefined: all. */
	pick(parameters: ParameterValues): RecordPick | undefined;
	watch(parameters: ParameterValues, id: number | undefined): CountedList;
}

const linksBy = (order: string): PagedList => ({
	...links,
	source: { ...links.source, query: { order } },
});

/** So that new links are all on the first pages. */
export const linksByDate = linksBy('date');

/** The records of a list with their counts; details have the count among the statistics. */
function countsOf(
	{ source, recordOf, details }: PagedList,
	name: 'clicks' | 'scans',
): Pick<CountedList, 'source' | 'recordOf' | 'details' | 'countOf'> {
	const withCount = (entry: IDataObject): IDataObject => ({
		...entry,
		[name]: countIn(entry[name]) ?? countIn(mapIn(entry.statistics).clicks),
	});
	return {
		source,
		recordOf,
		details: details && {
			...details,
			recordIn: (body, id) => withCount(details.recordIn(body, id)),
		},
		countOf: (record) => countIn(record[name]),
	};
}

const pickIn =
	(locator: INodeProperties, list?: NamedList): CountEvent['pick'] =>
	(parameters) => {
		const held = parameters[locator.name];
		if (isBlank(pickedValue(held))) return undefined;
		return parseLocator(locator, held, list, parameters);
	};

export const linkClicks: CountEvent = {
	pick: pickIn(watchedLinkField, links),
	watch: () => ({
		...countsOf(linksByDate, 'clicks'),
		changed(link, count, before = 0) {
			const growth = count - before;
			return growth > 0 ? { ...link, new_clicks: growth, clicks_before: before } : undefined;
		},
	}),
};

const milestoneEvent = (
	pick: CountEvent['pick'],
	list: PagedList,
	name: 'clicks' | 'scans',
): CountEvent => ({
	// Below the lowest one, counts may not have been read.
	setting: (parameters) => milestonesIn(parameters.milestones)[0],
	pick,
	watch(parameters) {
		const milestones = milestonesIn(parameters.milestones);
		return {
			...countsOf(list, name),
			lowest: milestones[0],
			changed(entry, count, before) {
				const milestone = milestones.findLast((each) => each <= count);
				if (milestone === undefined || milestone <= (before ?? 0)) return undefined;
				return { ...entry, milestone, [`${name}_before`]: before ?? null };
			},
		};
	},
});

export const linkMilestones = milestoneEvent(
	pickIn(watchedLinkField, links),
	// So that reading can end where no milestone is.
	linksBy('click'),
	'clicks',
);

export const qrCodeMilestones = milestoneEvent(pickIn(watchedQrCodeField), qrCodes, 'scans');

const isFirstSeen: CountedList['changed'] = (entry, _count, before) =>
	before === undefined ? entry : undefined;

/** The records of a list in any order. */
export const newRecords = ({ source, recordOf }: PagedList): CountEvent => ({
	pick: () => undefined,
	watch: () => ({ source, recordOf, countOf: () => 1, changed: isFirstSeen }),
});

export const channelItems: CountEvent = {
	pick: (parameters) =>
		parseLocator(channelField, parameters[channelField.name], channels, parameters),
	watch: (_parameters, id = 0) => ({
		source: { path: `/api/channel/${id}`, listName: 'items' },
		recordOf: record,
		keyOf: recordKey,
		countOf: () => 1,
		changed: isFirstSeen,
	}),
};

/**
 * Whether every later record has a count below the lowest that matters: the list is seen to be by count. One by date, which counts
 * may follow by chance, is known by its IDs. @param records from page 1 on, or a later one
 */
export function isBelowLowest(records: IDataObject[], watch: CountedList): boolean {
	const counts = records.map((entry) => watch.countOf(entry) ?? Infinity);
	const ids = records.map(({ id }) => idIn(id) ?? 0);
	return (
		(counts.at(-1) ?? Infinity) < (watch.lowest ?? 0) &&
		isFalling(counts) &&
		// A few clicks on the newest links look sorted in any order.
		new Set(counts).size >= 3 &&
		!isFalling(ids) &&
		!isFalling(ids.toReversed())
	);
}

const isFalling = (numbers: readonly number[]): boolean =>
	numbers.every((number, at) => at === 0 || number <= (numbers[at - 1] ?? number));

const EXAMPLE = 'Enter them like this: 100, 1000, 10000';

/** The counts, the lowest first, separated by commas, semicolons or spaces, or in an array. @throws Failure if there is none */
function milestonesIn(value: unknown): number[] {
	const text = [value].flat().join(' ');
	const parts = text.split(/[\s,;]+/);
	const counts = parts.filter((part) => part !== '').map(idIn);
	if (counts.length === 0) throw fieldFailure('Milestones', 'must not be empty', EXAMPLE);
	const known = counts.filter((count) => count !== undefined);
	if (known.length === counts.length) return known.toSorted((a, b) => a - b);
	throw fieldFailure(
		'Milestones',
		`must be positive whole numbers, but are ${quoted(value)}`,
		EXAMPLE,
	);
}
