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
import { showsPlaces, withDetails, withoutDetails, withPlaces } from './findLink';
import { changedLinkFields } from './linkFields';
import { type LinkRow, linkRowOf, write } from './linkRow';
import { LINK_MEMBERS, LOST_MEMBERS, sentBack } from './members';
import {
	addToPlaces,
	createMissingOption,
	findPlaces,
	type FoundPlace,
	idsOf,
	missingPlaces,
	type PickedPlace,
	pickPlaces,
	placeFields,
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
		const row = linkRowOf(context);
		const picked = pickPlaces(row, 'updateFields');
		return async (request) => await updateRow(request, row, picked);
	},
	fields: [
		linkLocator,
		keptNotice,
		...toolTagFields,
		updateFields([...changedLinkFields, ...placeFields]),
		optionsField([createMissingOption, utmFormatOption]),
	],
};

async function updateRow(
	{ body }: RowRequest,
	row: LinkRow,
	picked: readonly PickedPlace[],
): Promise<RowResult[]> {
	const linkId = row.id('linkId');
	const details = await withDetails(row.index.get(linkId) ?? { id: linkId }, row);
	requireOtherAddress(
		{ url: body.url ?? details.longurl },
		{ shorturl: body.domain ?? details.shorturl, alias: body.custom ?? details.alias },
	);
	const places = await findPlaces(picked, row);
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
	const instead = { ...listedLink(found), longurl: entered.url };
	const send = async () => await sendUpdate(found, entered, places, row);
	const written = await write(row, 'update', instead, send);
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
