import type { IDataObject } from 'n8n-workflow';

import type { ListSource } from '../../shared/lists/pages';
import type { NamedList } from '../../shared/lists/recordIndex';
import { nameIn } from '../../shared/operations/picks';
import { inputFailure } from '../../shared/values/failure';
import { countIn, mapIn, pickedValue, recordsIn, textIn } from '../../shared/values/json';
import { isBlank, parseId, type GetParameter } from '../../shared/values/input';
import { channels, type Details, links, type PagedList, qrCodes } from '../lists';
import { namedLists } from '../locators';
import { record } from '../records';
import { milestonesIn, reached } from './milestones';

/** What an event watches in a list whose records each have a count. */
export interface CountWatch {
	source: ListSource;
	/** Of a picked record, if it is read by itself. */
	details?: Details | undefined;
	recordOf: (entry: IDataObject) => IDataObject;
	/** The type of a record, if ids are unique within their type only. */
	typeOf?(entry: IDataObject): string;
	/** Undefined if it cannot be read. */
	countOf(record: IDataObject): number | undefined;
	/** The lowest count that matters, if the list is sorted by counts: records with less need not be read. */
	lowest: number | undefined;
	/** The count to store: the last one, or the highest. */
	kept(before: number, count: number): number;
	/** The output of a record; undefined if nothing happened. @param before the stored count; undefined if there is none */
	changed(record: IDataObject, count: number, before: number | undefined): IDataObject | undefined;
	/** What a test shows of a record for which `changed` returns nothing. */
	example(record: IDataObject): IDataObject;
}

/** The id of a record, or its name. */
type IdOrName = number | string;

export interface CountEvent {
	/** What identifies the event besides the picked records; when it changes, the trigger starts over. */
	setting?(parameter: GetParameter): unknown;
	picked(parameter: GetParameter): IdOrName[];
	/** The list in which names are looked up. */
	named: NamedList;
	/** @param ids of the picked records */
	watch(parameter: GetParameter, ids: number[]): CountWatch;
}

/** Each costs a request. */
const MAX_LINKS = 20;

/** The records of a list with their counts; details have the count among the statistics. */
function countsOf(
	{ source, recordOf, details }: PagedList,
	name: 'clicks' | 'scans',
	query: IDataObject,
): Pick<CountWatch, 'source' | 'recordOf' | 'details' | 'countOf'> {
	const withCount = (entry: IDataObject): IDataObject => ({
		...entry,
		[name]: countIn(entry[name]) ?? countIn(mapIn(entry.statistics).clicks),
	});
	return {
		source: { ...source, query },
		recordOf,
		details: details && { ...details, recordIn: (body) => withCount(details.recordIn(body)) },
		countOf: (record) => countIn(record[name]),
	};
}

export const linkClicks: CountEvent = {
	picked: pickedLinks,
	named: links,
	watch: () => ({
		...countsOf(links, 'clicks', { order: 'date' }),
		lowest: undefined,
		kept: (_before, count) => count,
		changed(link, count, before = 0) {
			const growth = count - before;
			return growth > 0 ? { ...link, new_clicks: growth, clicks_before: before } : undefined;
		},
		example: (link) => ({ ...link, new_clicks: 0, clicks_before: link.clicks }),
	}),
};

/** The links in the field *Only These Links*, each once. */
function pickedLinks(parameter: GetParameter): IdOrName[] {
	const entries = recordsIn(mapIn(parameter('links')).link);
	const picks = new Set(entries.map(({ linkId }) => pickedIn('linkId', linkId)));
	if (picks.size <= MAX_LINKS) return [...picks];
	throw inputFailure(
		`A trigger watches at most ${MAX_LINKS} links one by one, but there are ${picks.size}`,
		'Remove all links to watch every link, or use several triggers',
	);
}

/** What a locator holds: a name only if its list is looked up by name. */
const pickedIn = (field: string, held: unknown): IdOrName =>
	(field in namedLists ? nameIn(field, held) : undefined) ?? parseId(field, pickedValue(held));

/** @param isSorted whether the service is asked to sort the list by the counts */
const milestoneEvent = (
	idField: string,
	list: NamedList & PagedList,
	name: 'clicks' | 'scans',
	isSorted: boolean,
): CountEvent => ({
	setting: (parameter) => milestonesIn(parameter('milestones')),
	picked(parameter) {
		const held = parameter(idField);
		return isBlank(pickedValue(held)) ? [] : [pickedIn(idField, held)];
	},
	named: list,
	watch(parameter) {
		const milestones = milestonesIn(parameter('milestones'));
		const beforeName = `${name}_before`;
		return {
			...countsOf(list, name, isSorted ? { order: 'click' } : {}),
			lowest: isSorted ? milestones[0] : undefined,
			kept: Math.max,
			changed(entry, count, before) {
				const milestone = reached(milestones, count);
				if (milestone === undefined || milestone <= (before ?? 0)) return undefined;
				return { ...entry, milestone, [beforeName]: before ?? null };
			},
			example: (entry) => ({ ...entry, milestone: milestones[0], [beforeName]: null }),
		};
	},
});

export const linkMilestones = milestoneEvent('linkId', links, 'clicks', true);

export const qrCodeMilestones = milestoneEvent('qrCodeId', qrCodes, 'scans', false);

const pickedChannel = (parameter: GetParameter): IdOrName[] => [
	pickedIn('channelId', parameter('channelId')),
];

export const channelItems: CountEvent = {
	picked: pickedChannel,
	named: channels,
	watch: (_read, [id = 0]) => ({
		source: { path: `/api/channel/${id}`, listName: 'items' },
		recordOf: record,
		typeOf: ({ type }) => textIn(type) ?? '',
		countOf: () => 1,
		lowest: undefined,
		kept: Math.max,
		changed: (item, _count, before) => (before === undefined ? item : undefined),
		example: (item) => item,
	}),
};
