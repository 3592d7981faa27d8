// Updates a link. Services may empty what an update does not send, so what the link is to keep is sent back, as far as responses show
// it.

import type { IDataObject } from 'n8n-workflow';

import { parseId } from '../../../shared/values/input';
import { textsIn, without } from '../../../shared/values/json';
import { linkPath } from '../../serviceLists';
import { percentEncoded } from '../../values/longUrl';
import { withDomain } from './domain';
import { showsPlaces, withDetails, withoutDetails, withPlaces } from './linkDetails';
import { type LinkRow, write } from './linkRow';
import { LINK_LABELS } from './linkFields';
import { LINK_MEMBERS, sentBack } from './members';
import { type FoundPlace, idsOf } from './places';
import { withTags } from './utm';
import { listedLink, updatedLink } from './writtenLink';

/** @param changed what the row changes, as far as it is known @throws Failure if it is another link afterwards */
export async function updateLink(
	found: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: LinkRow,
	changed: readonly string[] = Object.keys(entered),
): Promise<IDataObject> {
	const labels = changed.map((name) => LINK_LABELS[name] ?? name).join(', ');
	const { longurl, ...others } = listedLink(found);
	const instead = { ...others, longurl: entered.url ?? longurl };
	const written = await write(
		row,
		{ name: 'update', note: `The row sets ${labels}`, instead },
		() => sendUpdate(found, entered, places, row),
	);
	if (row.isDryRun) row.index.put({ id: found.id, longurl: written.longurl });
	return written;
}

async function sendUpdate(
	found: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const link = await withDetails(await withPlaces(found, row), row);
	const said = await saidOf(link, entered, places, row);
	const body = { ...(await sentBack(link, said, row)), ...said };
	const path = `${linkPath(parseId('Link', link.id))}/update`;
	const { body: response } = await row.send({ method: 'PUT', path, body });
	const written = updatedLink(response, body, link);
	// The details are not what they were, so the next row about the link reads them again.
	const { index } = row;
	index.remove(link.id);
	index.put(withoutDetails(link));
	index.put({ ...written, campaign: body.campaign });
	return { ...listedLink(link), ...written };
}

/** What the row says. The API requires the long URL on every update. An alias that the link already has may be refused. */
async function saidOf(
	link: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const [present] = textsIn(link.longurl).map(percentEncoded);
	const body = await withDomain(withTags({ ...entered, url: entered.url ?? present }), row);
	const said = LINK_MEMBERS.custom?.isSame?.(link, body) ? without(body, 'custom') : body;
	const { campaign } = showsPlaces(row) === true ? idsOf(places) : {};
	return campaign === undefined ? said : { ...said, campaign };
}
