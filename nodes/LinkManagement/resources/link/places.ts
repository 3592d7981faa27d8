// The campaign and the channel of a link: found before the link is written, or made if the row says so.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NamedList } from '../../../shared/lists/recordIndex';
import { optionalField } from '../../../shared/operations/panelFields';
import type { RowInput, RowContext } from '../../../shared/operations/operation';
import { type RecordRef, parseLocator } from '../../../shared/operations/locatorValue';
import { toFailure } from '../../../shared/values/failure';
import { mapIn, pickedValue } from '../../../shared/values/json';
import { isBlank } from '../../../shared/values/input';
import { campaigns, channels } from '../../serviceLists';
import { campaignLocator, channelLocator } from '../../locators';
import { requireId } from '../../writeResults';
import { incomplete } from './writtenLink';

interface Place {
	what: string;
	field: INodeProperties;
	list: NamedList;
	add: string;
	assign: (place: number, link: number) => string;
}

const PLACES: readonly Place[] = [
	{
		what: 'campaign',
		field: { ...optionalField(campaignLocator), description: 'The campaign to add the link to' },
		list: campaigns,
		add: '/api/campaign/add',
		assign: (campaign, link) => `/api/campaign/${campaign}/assign/${link}`,
	},
	{
		what: 'channel',
		field: { ...optionalField(channelLocator), description: 'The channel to add the link to' },
		list: channels,
		add: '/api/channel/add',
		assign: (channel, link) => `/api/channel/${channel}/assign/links/${link}`,
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
	pick: RecordRef;
}

/** @throws Failure if one is neither an id nor a name */
export function pickPlaces(input: RowInput): PickedPlace[] {
	const added = mapIn(input.parameter('additionalFields'));
	return PLACES.flatMap((place) => {
		const { name } = place.field;
		const cell = input.columns?.get(name);
		const held = cell ? { mode: 'name', value: cell.value } : added[name];
		if (isBlank(pickedValue(held))) return [];
		return [{ ...place, pick: parseLocator(name, held, place.list, input.parameter) }];
	});
}

const mayCreate = ({ parameter }: RowInput): boolean =>
	mapIn(parameter('options')).createMissing === true;

interface FoundPlace extends Place {
	id: number;
}

/** @throws Failure if one does not exist, and the row does not say that it is to be made */
export async function findPlaces(
	places: readonly PickedPlace[],
	row: RowContext,
): Promise<FoundPlace[]> {
	const found: FoundPlace[] = [];
	for (const place of places) {
		const id = (await knownId(place, row)) ?? (await create(place, row));
		found.push({ ...place, id });
	}
	return found;
}

/** The same for a run that writes nothing. */
export async function checkPlaces(places: readonly PickedPlace[], row: RowContext): Promise<void> {
	for (const place of places) await knownId(place, row);
}

/** A namesake may follow. */
const WHOLE_LIST = { scan: 'all', match: 'ignoreCase' } as const;

/** @returns undefined if there is none, and one is to be made */
async function knownId({ pick, list }: PickedPlace, row: RowContext): Promise<number | undefined> {
	if (typeof pick === 'number') return pick;
	const index = row.list(list);
	if (!mayCreate(row.input)) return await index.idOf(pick.name, WHOLE_LIST);
	const known = await index.find(pick.name, WHOLE_LIST);
	return known && requireId(known);
}

/** Makes a place, which later rows then find. If no response says so, the list is read again before another one is made. */
async function create({ what, pick, list, add }: PickedPlace, row: RowContext): Promise<number> {
	const name = typeof pick === 'number' ? '' : pick.name;
	try {
		const id = requireId((await row.send({ method: 'POST', path: add, body: { name } })).body);
		row.list(list).put({ id, name });
		return id;
	} catch (error) {
		row.session.forget(list);
		const failure = toFailure(error);
		const message = `The ${what} "${name}" was not created: ${failure.message}`;
		throw failure.with({ message, mayRetry: true });
	}
}

export async function addToPlaces(
	places: readonly FoundPlace[],
	link: IDataObject,
	row: RowContext,
): Promise<void> {
	for (const place of places) await addTo(place, link, row);
}

/** A retry may send it again: it does no harm. */
async function addTo(
	{ what, id, assign }: FoundPlace,
	link: IDataObject,
	row: RowContext,
): Promise<void> {
	await row.writes.once(what, async () => {
		try {
			return (await row.send({ method: 'POST', path: assign(id, requireId(link)) })).body;
		} catch (error) {
			throw incomplete(link, `not added to the ${what}`, error).with({ mayRetry: true });
		}
	});
}
