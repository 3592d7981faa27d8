// The campaign and the channel of a link: found before the link is written, or made if the row says so.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type NamedList, singleRecord } from '../../../shared/lists/namedList';
import { parseLocator, type RecordRef } from '../../../shared/operations/parameters';
import type { Row } from '../../../shared/operations/operation';
import { columnLabel } from '../../../shared/operations/rowValues';
import { optionalField } from '../../../shared/operations/panelFields';
import { isBlank } from '../../../shared/values/input';
import { idIn, mapIn, pickedValue } from '../../../shared/values/json';
import { assignToChannel } from '../../assignToChannel';
import { campaignLocator, channelLocator } from '../../locators';
import { campaigns, channels } from '../../serviceLists';
import { requireId } from '../../writeResults';
import { showsPlaces } from './findLink';
import { type LinkRow, write } from './linkRow';
import { makePlace } from './makePlace';
import { incomplete } from './writtenLink';

interface Place {
	/** Also the member of a link that has its id. */
	what: 'campaign' | 'channel';
	field: INodeProperties;
	list: NamedList;
	add: string;
	assign: (place: number, link: number, row: LinkRow) => Promise<IDataObject>;
}

const PLACES: readonly Place[] = [
	{
		what: 'campaign',
		field: { ...optionalField(campaignLocator), description: 'The campaign to add the link to' },
		list: campaigns,
		add: '/api/campaign/add',
		async assign(campaign, link, row) {
			const path = `/api/campaign/${campaign}/assign/${link}`;
			return (await row.send({ method: 'POST', path })).body;
		},
	},
	{
		what: 'channel',
		field: { ...optionalField(channelLocator), description: 'The channel to add the link to' },
		list: channels,
		add: '/api/channel/add',
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

/** @param collection that has the fields @throws Failure if one is neither an id nor a name */
export function pickPlaces(
	row: Row,
	collection: 'additionalFields' | 'updateFields' = 'additionalFields',
): PickedPlace[] {
	const added = mapIn(row.parameters[collection]);
	return PLACES.flatMap((place) => {
		const { name } = place.field;
		const cell = row.columns?.get(name);
		const held = cell ? { mode: 'name', value: cell.value } : added[name];
		if (isBlank(pickedValue(held))) return [];
		const displayName = cell ? columnLabel(cell) : place.field.displayName;
		const ref = parseLocator({ displayName }, held, place.list, row.parameters);
		return [{ ...place, ref }];
	});
}

export interface FoundPlace extends Place {
	/** 0 if a dry run would create it. */
	id: number;
	name: string;
	isNew: boolean;
}

export const idsOf = (places: readonly FoundPlace[]): IDataObject =>
	Object.fromEntries(places.map(({ what, id }) => [what, id]));

/**
 * The places to which a link has to be added. Where the list does not show the places of a link, it is added when it is written: a link
 * that is as the row says was added before.
 */
export const missingPlaces = (
	link: IDataObject,
	places: readonly FoundPlace[],
	isWritten: boolean,
	row: LinkRow,
): FoundPlace[] => {
	const areShown = showsPlaces(row) === true;
	return places.filter(({ what, id, isNew }) =>
		areShown ? idIn(link[what]) !== id : isWritten || isNew,
	);
};

/** Makes those that do not exist. @throws Failure if the row does not say that they are to be made */
export async function findPlaces(
	places: readonly PickedPlace[],
	row: LinkRow,
): Promise<FoundPlace[]> {
	const found: FoundPlace[] = [];
	for (const place of places) {
		const { ref } = place;
		const isId = typeof ref === 'number';
		const find = async () => await knownId(place, row);
		const known = await find();
		const named = { ...place, name: isId ? `with ID ${ref}` : ref.name };
		const id = known ?? (await makePlace(named, row, find));
		found.push({
			...named,
			name: isId ? named.name : `"${ref.name}"`,
			id,
			isNew: known === undefined,
		});
	}
	return found;
}

const mayCreate = ({ parameters }: LinkRow): boolean =>
	mapIn(parameters.options).createMissing === true;

/** @returns undefined if there is none, and one is to be made */
async function knownId({ ref, list }: PickedPlace, row: LinkRow): Promise<number | undefined> {
	if (typeof ref === 'number') return ref;
	const index = row.list(list);
	if (!mayCreate(row)) return await index.idOf(ref.name, 'all');
	// Two programs may have made one at once.
	const found = await index.all(ref.name, 'all');
	const [oldest] = index.named(list.nameOf(ref.name), true);
	const known = oldest ?? singleRecord(list, ref.name, found);
	if (known) return requireId(known);
	// An export has the ID of a campaign in its column.
	return index.get(ref.name) ? await index.idOf(ref.name, 'all') : undefined;
}

/** Adds a link to places. A retry may send it again: it does no harm. */
export async function addToPlaces(
	places: readonly FoundPlace[],
	link: IDataObject,
	row: LinkRow,
): Promise<void> {
	for (const place of places) {
		const { what, id, name, assign } = place;
		row.notes.push(`The link would be added to the ${what} ${name}`);
		await write(row, what, {}, async () => {
			try {
				return await assign(id, requireId(link), row);
			} catch (error) {
				throw incomplete(link, `not added to the ${what}`, error).with({ mayRetry: true });
			}
		});
	}
}
