import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ListWalk } from '../../../shared/lists/listWalk';
import { pagesOf } from '../../../shared/lists/pages';
import { optional } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import { columnLabel } from '../../../shared/operations/mappedColumns';
import type { Item } from '../../../shared/operations/item';
import { toFailure } from '../../../shared/values/failure';
import { idIn, mapIn, pickedValue } from '../../../shared/values/json';
import { isBlank, requiredText } from '../../../shared/values/input';
import { campaigns, channels } from '../../lists';
import { campaignLocator, channelLocator } from '../../locators';
import { requireId } from '../../results';
import { valueOf } from './columns';
import { incomplete } from './result';

/** Where a link can be put after it was written. */
const PLACES = [
	{
		what: 'campaign',
		list: campaigns,
		field: { ...optional(campaignLocator), description: 'The campaign to add the link to' },
		path: (campaign: number, link: number) => `/api/campaign/${campaign}/assign/${link}`,
	},
	{
		what: 'channel',
		list: channels,
		field: { ...optional(channelLocator), description: 'The channel to add the link to' },
		path: (channel: number, link: number) => `/api/channel/${channel}/assign/links/${link}`,
	},
] as const;

type PlaceKind = (typeof PLACES)[number]['what'];

export const placeFields: readonly INodeProperties[] = PLACES.map(({ field }) => field);

/** A place that was picked, or named in a column. */
export interface WantedPlace {
	what: PlaceKind;
	/** The column and its value; undefined if the place was picked. */
	column: { name: string; text: string } | undefined;
	/** As it was entered, to compare rows. */
	entered: unknown;
}

export interface FoundPlace {
	what: PlaceKind;
	id: number;
	path: (link: number) => string;
}

/** The places that a row wants. @throws Failure if one of them is neither an id nor a name */
export function wantedPlaces(form: Form): WantedPlace[] {
	const added = mapIn(form.parameter('additionalFields'));
	return PLACES.flatMap(({ what, field }): WantedPlace[] => {
		const cell = form.mapped?.cells.get(field.name);
		if (cell) {
			const text = requiredText(columnLabel(cell), valueOf(cell));
			return [{ what, column: { name: cell.column, text }, entered: text }];
		}
		const held = added[field.name];
		if (isBlank(pickedValue(held))) return [];
		form.pick(field.name, held);
		return [{ what, column: undefined, entered: held }];
	});
}

/** The ids of the places. Names of columns are looked up. @throws Failure if there is no such place */
export async function foundPlaces(
	wanted: readonly WantedPlace[],
	item: Item,
): Promise<FoundPlace[]> {
	const found: FoundPlace[] = [];
	for (const { what, list, field, path } of PLACES) {
		const place = wanted.find((each) => each.what === what);
		if (!place) continue;
		const { column } = place;
		const id = column
			? await item
					.lookUp(list, async (index) => await index.idOf(column.text, true))
					.catch(unlessOther(what, column.name))
			: item.id(field.name);
		found.push({ what, id, path: (link) => path(id, link) });
	}
	return found;
}

const unlessOther =
	(what: string, column: string) =>
	(error: unknown): never => {
		const failure = toFailure(error);
		if (failure.kind !== 'refused') throw failure;
		const advice = `${failure.advice}. If the column "${column}" does not name the ${what} of the link, enter it under Columns to Ignore in the options`;
		throw failure.with({ advice });
	};

/** Puts a link there. A retry may send it again: it does no harm. */
export async function addTo(
	{ what, path }: FoundPlace,
	link: IDataObject,
	item: Item,
): Promise<void> {
	await item.step(what, async () => {
		try {
			return (await item.send({ method: 'POST', path: path(requireId(link)) })).body;
		} catch (error) {
			throw incomplete(link, `not added to the ${what}`, error).with({ mayRetry: true });
		}
	});
}

/** The ids of the links in a channel, read once a run. */
export async function linksInChannel(
	channel: number,
	{ send, shared }: Pick<Item, 'send' | 'shared'>,
): Promise<Set<number>> {
	const path = `/api/channel/${channel}`;
	return await shared.idsOnce(path, async () => {
		const walk = new ListWalk(pagesOf({ path, listName: 'items' }, send), {
			accepted: shared.acceptedLimit(path),
		});
		const ids: number[] = [];
		for await (const items of walk.pages()) {
			ids.push(...items.flatMap(({ type, id }) => (type === 'links' ? (idIn(id) ?? []) : [])));
		}
		return ids;
	});
}
