// *Update*: sends what changes, with the long URL that the API requires. Services may empty what an update does not send, so what the
// link is to keep is sent back, as far as responses show it.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Operation, RowRequest, RowResult } from '../../../shared/operations/operation';
import { optionsField } from '../../../shared/operations/panelFields';
import { parseId } from '../../../shared/values/input';
import { textsIn, without } from '../../../shared/values/json';
import { linkLocator } from '../../locators';
import { updateFields } from '../../resourceFields';
import { linkPath } from '../../serviceLists';
import { percentEncoded } from '../../values/longUrl';
import { linkBody, requireOtherAddress, withDomain } from './body';
import { withDetails, withPlaces } from './findLink';
import { changedLinkFields } from './linkFields';
import { type LinkRow, linkRowOf, write } from './linkRow';
import { hasAlias, LOST_MEMBERS, sentBack } from './members';
import {
	addToPlaces,
	createMissingOption,
	findPlaces,
	type FoundPlace,
	missingPlaces,
	pickPlaces,
	placeFields,
	sentPlaces,
} from './places';
import { toolTagFields, utmFormatOption, withTags } from './utm';
import { LINK_OUTPUT, listedLink, updatedLink } from './writtenLink';

const keptNotice: INodeProperties = {
	displayName: `Some services empty what they do not show: ${LOST_MEMBERS}. Enter them again here if the link has any.`,
	name: 'keptNotice',
	type: 'notice',
	default: '',
};

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update short link',
	description: 'Change the fields of a short link that have a value, and return its short URL',
	request: { method: 'PUT', url: '/api/url/:linkId/update' },
	body: linkBody,
	output: LINK_OUTPUT,
	prepare(context) {
		const row = linkRowOf(context, pickPlaces(context));
		return async (request) => await updateRow(request, row);
	},
	fields: [
		linkLocator,
		keptNotice,
		...toolTagFields,
		updateFields([...changedLinkFields, ...placeFields]),
		optionsField([createMissingOption, utmFormatOption]),
	],
};

async function updateRow({ body }: RowRequest, row: LinkRow): Promise<RowResult[]> {
	const linkId = row.id('linkId');
	const details = await withDetails(row.index.get(linkId) ?? { id: linkId }, row);
	requireOtherAddress(
		body.url ?? details.longurl,
		body.domain ?? details.shorturl,
		body.custom ?? details.alias,
	);
	const places = await findPlaces(row);
	const link = places.length > 0 ? await withPlaces(details, row) : details;
	// An update might empty what no response shows, so a campaign alone is only assigned.
	const isWritten = Object.keys(body).length > 0;
	const written = isWritten ? await updateLink(link, body, places, row) : listedLink(link);
	const missing = missingPlaces(link, places, true, row);
	await addToPlaces(missing, { ...written, outcome: 'updated' }, row);
	const said = without(body, 'custom', 'domain', 'password', 'url');
	return [{ json: { ...without(written, 'clicks'), ...said } }];
}

/** @throws Failure if it is another link afterwards */
export async function updateLink(
	found: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const { index } = row;
	const instead = { ...listedLink(found), longurl: entered.url };
	const written = await write(row, 'update', instead, async () => {
		const link = await withDetails(await withPlaces(found, row), row);
		const body = await updateBody(link, entered, places, row);
		const path = `${linkPath(parseId('Link', link.id))}/update`;
		const { body: response } = await row.send({ method: 'PUT', path, body });
		const result = updatedLink(response, body, link);
		// The details are not what they were, so the next row about the link reads them again.
		index.remove(link.id);
		index.put(without(link, 'device', 'expiry', 'location', 'statistics'));
		index.put({ ...result, campaign: body.campaign });
		return { ...listedLink(link), ...result };
	});
	if (row.isDryRun) index.put({ id: found.id, longurl: written.longurl });
	return written;
}

/** What the row says, and what the link is to keep. */
async function updateBody(
	link: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	// The API requires the long URL on every update.
	const [present] = textsIn(link.longurl).map(percentEncoded);
	const body = await withDomain(withTags({ ...entered, url: entered.url ?? present }), row);
	const { campaign } = sentPlaces(places, row) ?? {};
	const placed = campaign === undefined ? body : { ...body, campaign };
	// An alias that the link already has may be refused.
	const said = hasAlias(link, body) ? without(placed, 'custom') : placed;
	return { ...(await sentBack(link, said, row)), ...said };
}
