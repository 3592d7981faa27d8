// The campaign and the channel of a link: found before the link is written, or made if the row says so.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type NamedList, nameKey } from '../../../shared/lists/namedList';
import { parseLocator, type RecordRef } from '../../../shared/operations/parameters';
import type { Row } from '../../../shared/operations/operation';
import { columnLabel } from '../../../shared/operations/rowValues';
import { optionalField } from '../../../shared/operations/panelFields';
import { toFailure } from '../../../shared/values/failure';
import { isBlank } from '../../../shared/values/input';
import { idIn, mapIn, pickedValue } from '../../../shared/values/json';
import { assignToChannel } from '../../assignToChannel';
import { campaignLocator, channelLocator } from '../../locators';
import { campaigns, channels } from '../../serviceLists';
import { requireId } from '../../writeResults';
import { showsPlaces } from './findLink';
import { type LinkRow, write } from './linkRow';
import { incomplete } from './writtenLink';

interface Place {
	/** Also the member of a link that has its id. */
	what: 'campaign' | 'channel';
	field: INodeProperties;
	list: NamedList;
	assign: (place: number, link: number, row: LinkRow) => Promise<IDataObject>;
}

const PLACES: readonly Place[] = [
	{
		what: 'campaign',
		field: { ...optionalField(campaignLocator), description: 'The campaign to add the link to' },
		list: campaigns,
		async assign(campaign, link, row) {
			const path = `/api/campaign/${campaign}/assign/${link}`;
			return (await row.send({ method: 'POST', path })).body;
		},
	},
	{
		what: 'channel',
		field: { ...optionalField(channelLocator), description: 'The channel to add the link to' },
		list: channels,
		assign: async (channel, link, row) => await assignToChannel(channel, 'links', link, row),
	},
];

export const placeFields: readonly INodeProperties[] = PLACES.map(({ field }) => field);

export const createMissingOption: INodeProperties = {
	displayName: 'Create Missing',
	name: 'createMissing',
	type: 'boolean',
	default: true,
	description: 'Whether to create a campaign or channel that does not exist',
};

/** A place that a row wants: picked, or named in a column. */
export interface PickedPlace extends Place {
	ref: RecordRef;
}

/** @throws Failure if one is neither an id nor a name */
export function pickPlaces({ columns, parameters }: Row): PickedPlace[] {
	const added = mapIn(parameters.additionalFields ?? parameters.updateFields);
	return PLACES.flatMap((place) => {
		const { name } = place.field;
		const cell = columns?.get(name);
		const held = cell ? { mode: 'name', value: cell.value } : added[name];
		if (isBlank(pickedValue(held))) return [];
		const displayName = cell ? columnLabel(cell) : place.field.displayName;
		const ref = parseLocator({ displayName }, held, place.list, parameters);
		return [{ ...place, ref }];
	});
}

export interface FoundPlace extends Place {
	/** 0 if a dry run would create it. */
	id: number;
	label: string;
}

/** What a write has of them; undefined if the service does not read them there. */
export const sentPlaces = (places: readonly FoundPlace[], row: LinkRow): IDataObject | undefined =>
	showsPlaces(row) === true
		? Object.fromEntries(places.map(({ what, id }) => [what, id]))
		: undefined;

/**
 * The places to which a link has to be added. Where the list does not show the places of a link, it is added when it is written: a link
 * that is as the row says was added before.
 */
export const missingPlaces = (
	link: IDataObject,
	places: readonly FoundPlace[],
	isWritten: boolean,
	row: LinkRow,
): FoundPlace[] =>
	places.filter(({ what, id }) =>
		showsPlaces(row) === true
			? idIn(link[what]) !== id
			: isWritten || row.run.newPlaces.has(`${what} ${id}`),
	);

/** Makes those that do not exist. @throws Failure if the row does not say that they are to be made */
export async function findPlaces(row: LinkRow): Promise<FoundPlace[]> {
	const found: FoundPlace[] = [];
	for (const { ref, ...place } of row.places) {
		const isId = typeof ref === 'number';
		found.push({
			...place,
			id: isId
				? ref
				: ((await findPlace(place, ref.name, row)) ?? (await makePlace(place, ref.name, row))),
			label: `${place.what} ${isId ? `with ID ${ref}` : `"${ref.name}"`}`,
		});
	}
	return found;
}

/** @returns undefined if there is none, and one is to be made */
async function findPlace({ list }: Place, name: string, row: LinkRow): Promise<number | undefined> {
	const index = row.list(list);
	if (mapIn(row.parameters.options).createMissing === true) {
		const found = await index.all(name, 'all');
		// Two programs may have made one at once.
		const [oldest] = index.named(list.nameOf(name), true);
		if (oldest) return requireId(oldest);
		// An export has the ID of a campaign in its column.
		if (found.length === 0 && !index.get(name)) return undefined;
	}
	return await index.idOf(name, 'all');
}

/** What is being made in this process, by credential, list and name: executions at once wait for each other. */
const underWay = new Map<string, Promise<unknown>>();

async function makePlace(place: Place, name: string, row: LinkRow): Promise<number> {
	const { what, list } = place;
	if (row.isDryRun) {
		row.notes.push(`The ${what} "${name}" would be created`);
		row.run.newPlaces.add(`${what} 0`);
		return 0;
	}
	const key = [row.session.connection.connectionKey, what, nameKey(name).toLowerCase()].join(' ');
	const before = underWay.get(key);
	const making = (before ?? Promise.resolve()).then(async () => {
		if (before) row.session.forget(list);
		return (before && (await findPlace(place, name, row))) ?? (await sendPlace(place, name, row));
	});
	const settled = making.catch(() => undefined);
	underWay.set(key, settled);
	try {
		return await making;
	} finally {
		if (underWay.get(key) === settled) underWay.delete(key);
	}
}

/** Another program may make one of that name at the same time: then both use the oldest. */
async function sendPlace(place: Place, name: string, row: LinkRow): Promise<number> {
	const { what, list } = place;
	const made = await row
		.send({ method: 'POST', path: `/api/${what}/add`, body: { name } })
		.then(({ body }) => requireId(body))
		.catch((error: unknown) => {
			const failure = toFailure(error);
			const message = `The ${what} "${name}" was not created: ${failure.message}`;
			throw failure.with({ message, mayRetry: true });
		})
		.finally(() => row.session.forget(list));
	const oldest = await findPlace(place, name, row);
	row.list(list).put({ id: made, name });
	const id = oldest ?? made;
	row.run.newPlaces.add(`${what} ${id}`);
	return id;
}

/** Adds a link to places. A retry may send it again: it does no harm. */
export async function addToPlaces(
	places: readonly FoundPlace[],
	link: IDataObject,
	row: LinkRow,
): Promise<void> {
	for (const place of places) {
		const { what, id, label, assign } = place;
		row.notes.push(`The link would be added to the ${label}`);
		await write(row, what, {}, async () => {
			try {
				return await assign(id, requireId(link), row);
			} catch (error) {
				throw incomplete(link, `not added to the ${what}`, error).with({ mayRetry: true });
			}
		});
	}
}
