// *Update*: sends what changes, with the long URL that the API requires.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation, RowRequest, RowResult } from '../../../shared/operations/operation';
import { optionsField } from '../../../shared/operations/panelFields';
import { without } from '../../../shared/values/json';
import { linkLocator } from '../../locators';
import { updateFields } from '../../resourceFields';
import { linkBody, requireOtherAddress } from './body';
import { withDetails, withPlaces } from './linkDetails';
import { changedLinkFields } from './linkFields';
import { type LinkRow, linkRowOf } from './linkRow';
import { LOST_MEMBERS } from './members';
import {
	addToPlaces,
	createMissingOption,
	findPlaces,
	missingPlaces,
	type PickedPlace,
	pickPlaces,
	placeFields,
} from './places';
import { updateLink } from './updateLink';
import { toolTagFields, utmFormatOption } from './utm';
import { LINK_OUTPUT, listedLink } from './writtenLink';

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
