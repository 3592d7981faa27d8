import { type Fields, isRecord } from '../fields.ts';
import type { Records, Tables } from '../records.ts';

/** Where links belong: the campaign and the channel that the record of a link names, and the items of a channel. */

/** The types and the IDs of a channel, in the order in which they were assigned. */
export const assignedTo = ({ items }: Fields): Fields[] =>
	Array.isArray(items) ? items.filter(isRecord) : [];

/** Makes an item the last one of a channel. */
export function putIntoChannel(
	{ channels, links }: Tables,
	channel: Fields,
	type: string,
	id: unknown,
): void {
	const others = assignedTo(channel).filter((item) => item.type !== type || item.id !== id);
	channels.change(channel.id, { items: [...others, { type, id }] });
	if (type === 'links') links.change(id, { channel: channel.id });
}

/** The ID of the account's record, or null: what was deleted or belongs to another account is no place. */
export function placeIn(records: Records, accountId: number, id: unknown): unknown {
	const found = records.first('account_id = ? AND id = ?', accountId, Number(id ?? 0));
	return found?.id ?? null;
}
