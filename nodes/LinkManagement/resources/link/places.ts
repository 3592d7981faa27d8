import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optional } from '../../../shared/operations/fields';
import type { Form } from '../../../shared/operations/form';
import type { Row } from '../../../shared/operations/row';
import { mapIn, pickedValue } from '../../../shared/values/json';
import { isBlank } from '../../../shared/values/input';
import { campaignLocator, channelLocator } from '../../locators';
import { requireId } from '../../results';
import { valueOf } from './columns';
import { incomplete } from './result';

/** Where a link can be put after it was written. */
const PLACES = [
	{
		what: 'campaign',
		field: { ...optional(campaignLocator), description: 'The campaign to add the link to' },
		path: (campaign: number, link: number) => `/api/campaign/${campaign}/assign/${link}`,
	},
	{
		what: 'channel',
		field: { ...optional(channelLocator), description: 'The channel to add the link to' },
		path: (channel: number, link: number) => `/api/channel/${channel}/assign/links/${link}`,
	},
];

type Place = (typeof PLACES)[number];

export const placeFields: readonly INodeProperties[] = PLACES.map(({ field }) => field);

/** The places that a row wants; they are picked, or named in a column. @throws Failure if one is neither an id nor a name */
export function pickPlaces(form: Form): Place[] {
	const added = mapIn(form.parameter('additionalFields'));
	return PLACES.filter(({ field: { name } }) => {
		const cell = form.columns?.get(name);
		const held = cell ? { mode: 'name', value: valueOf(cell) } : added[name];
		if (isBlank(pickedValue(held))) return false;
		form.pick(name, held);
		return true;
	});
}

/** Puts a link there. A retry may send it again: it does no harm. */
export async function addTo(
	{ what, field, path }: Place,
	link: IDataObject,
	row: Row,
): Promise<void> {
	await row.once(what, async () => {
		try {
			const assign = path(row.id(field.name), requireId(link));
			return (await row.send({ method: 'POST', path: assign })).body;
		} catch (error) {
			throw incomplete(link, `not added to the ${what}`, error).with({ mayRetry: true });
		}
	});
}
