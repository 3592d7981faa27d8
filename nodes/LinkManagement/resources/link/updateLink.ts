// Updates a link. Services may empty what an update does not send, so what the link is to keep is sent back, as far as responses show
// it.

import type { IDataObject } from 'n8n-workflow';

import { parseId } from '../../../shared/values/input';
import { textsIn } from '../../../shared/values/json';
import { linkPath } from '../../serviceLists';
import { percentEncoded } from '../../values/address';
import { withDomain } from './body';
import { withTags } from './utm';
import type { LinkRow } from './linkRun';
import { hasAlias, keptMembers, showsPlaces, withoutDetails } from './knownLink';
import { type FoundPlace, idsOf } from './places';
import { updatedLink } from './writtenLink';

/** @param link with its details, and with its campaign where the list shows that @throws Failure if it is another link afterwards */
export async function updateLink(
	link: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const said = await saidOf(link, entered, places, row);
	const body = { ...(await keptMembers(link, said, row)), ...said };
	const path = `${linkPath(parseId('Link', link.id))}/update`;
	const { body: response } = await row.send({ method: 'PUT', path, body });
	const written = updatedLink(response, body, link);
	// The details are not what they were, so the next row about the link reads them again.
	const { index } = row;
	index.remove(link.id);
	index.put(withoutDetails(link));
	index.put({ ...written, campaign: body.campaign });
	return written;
}

/** What the row says. The API requires the long URL on every update. An alias that the link already has may be refused. */
async function saidOf(
	link: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const [present] = textsIn(link.longurl).map(percentEncoded);
	const tagged = withTags({ ...entered, url: entered.url ?? present });
	const { custom, ...others } = await withDomain(tagged, row);
	const alias = hasAlias(link, { custom }) ? {} : { custom };
	const { campaign } = showsPlaces(row) === true ? idsOf(places) : {};
	return { ...others, ...alias, ...(campaign === undefined ? {} : { campaign }) };
}
