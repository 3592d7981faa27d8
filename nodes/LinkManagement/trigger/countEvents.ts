// The events that compare counts, such as clicks, as data: what each watches, where its count is, and what counts as news.

import type { IDataObject } from 'n8n-workflow';

import type { ListSource } from '../../shared/lists/pages';
import { type Pick as RecordPick, pickOf } from '../../shared/operations/picks';
import { inputFailure } from '../../shared/values/failure';
import { countIn, idIn, mapIn, pickedValue, recordsIn, textIn } from '../../shared/values/json';
import { isBlank, type GetParameter } from '../../shared/values/input';
import { type Details, links, type PagedList, qrCodes } from '../lists';
import { namedLists } from '../locators';
import { record } from '../records';
import { milestonesIn } from './milestones';

/** What an event watches in a list whose records each have a count. */
export interface CountWatch {
	source: ListSource;
	/** Of a picked record, if it is read by itself. */
	details?: Details | undefined;
	recordOf: (entry: IDataObject) => IDataObject;
	/** Identifies a record; default: by its id. */
	keyOf?(record: IDataObject): string;
	/** Undefined if it cannot be read. */
	countOf(record: IDataObject): number | undefined;
	/** The lowest count that starts the workflow. Default: 1. */
	lowest?: number | undefined;
	/** Whether the highest count is stored instead of the last one. */
	isHighest?: boolean;
	/** The output of a record; undefined if nothing happened. @param before the last count; undefined if the record is new */
	changed(record: IDataObject, count: number, before: number | undefined): IDataObject | undefined;
}

export interface CountEvent {
	/** What identifies the event besides the picked records; when it changes, the trigger starts over. */
	setting?(parameter: GetParameter): unknown;
	/** The records to watch; none: all. */
	picks(parameter: GetParameter): RecordPick[];
	/** @param ids of the picked records */
	watch(parameter: GetParameter, ids: number[]): CountWatch;
}

/** Each costs a request. */
const MAX_LINKS = 20;

/** So that new links are all on the first pages. */
export const linksByDate: PagedList = {
	...links,
	source: { ...links.source, query: { order: 'date' } },
};

/** The records of a list with their counts; details have the count among the statistics. */
function countsOf(
	{ source, recordOf, details }: PagedList,
	name: 'clicks' | 'scans',
): Pick<CountWatch, 'source' | 'recordOf' | 'details' | 'countOf'> {
	const withCount = (entry: IDataObject): IDataObject => ({
		...entry,
		[name]: countIn(entry[name]) ?? countIn(mapIn(entry.statistics).clicks),
	});
	return {
		source,
		recordOf,
		details: details && { ...details, recordIn: (body) => withCount(details.recordIn(body)) },
		countOf: (record) => countIn(record[name]),
	};
}

export const linkClicks: CountEvent = {
	picks: pickedLinks,
	watch: () => ({
		...countsOf(linksByDate, 'clicks'),
		changed(link, count, before = 0) {
			const growth = count - before;
			return growth > 0 ? { ...link, new_clicks: growth, clicks_before: before } : undefined;
		},
	}),
};

/** The links in the field *Only These Links*. */
function pickedLinks(parameter: GetParameter): RecordPick[] {
	const entries = recordsIn(mapIn(parameter('links')).link);
	if (entries.length > MAX_LINKS)
		throw inputFailure(
			`A trigger watches at most ${MAX_LINKS} links one by one, but there are ${entries.length}`,
			'Remove all links to watch every link, or use several triggers',
		);
	return entries.map(({ linkId }) => pickedIn('linkId', linkId, parameter));
}

const pickedIn = (field: string, held: unknown, parameter: GetParameter): RecordPick =>
	pickOf(field, held, namedLists[field], parameter);

const milestoneEvent = (
	idField: string,
	list: PagedList,
	name: 'clicks' | 'scans',
): CountEvent => ({
	setting: (parameter) => milestonesIn(parameter('milestones')),
	picks(parameter) {
		const held = parameter(idField);
		return isBlank(pickedValue(held)) ? [] : [pickedIn(idField, held, parameter)];
	},
	watch(parameter) {
		const milestones = milestonesIn(parameter('milestones'));
		return {
			...countsOf(list, name),
			lowest: milestones[0],
			isHighest: true,
			changed(entry, count, before) {
				const milestone = milestones.findLast((each) => each <= count);
				if (milestone === undefined || milestone <= (before ?? 0)) return undefined;
				return { ...entry, milestone, [`${name}_before`]: before ?? null };
			},
		};
	},
});

export const linkMilestones = milestoneEvent('linkId', linksByDate, 'clicks');

export const qrCodeMilestones = milestoneEvent('qrCodeId', qrCodes, 'scans');

export const channelItems: CountEvent = {
	picks: (parameter) => [pickedIn('channelId', parameter('channelId'), parameter)],
	watch: (_parameter, [id = 0]) => ({
		source: { path: `/api/channel/${id}`, listName: 'items' },
		recordOf: record,
		// Ids are unique within their type only.
		keyOf: ({ type, id: itemId }) => `${textIn(type) ?? ''} ${idIn(itemId) ?? ''}`,
		countOf: () => 1,
		changed: (item, _count, before) => (before === undefined ? item : undefined),
	}),
};
