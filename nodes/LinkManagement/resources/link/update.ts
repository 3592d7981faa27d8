// *Update*: sends what changes, with the long URL that the API requires.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation, RowRequest, RowResult } from '../../../shared/operations/operation';
import { optionsField } from '../../../shared/operations/panelFields';
import { textIn, without } from '../../../shared/values/json';
import { linkLocator } from '../../locators';
import { updateFields } from '../../resourceFields';
import { requireOtherAddress } from './body';
import { type LinkRow, linkRowOf } from './linkRun';
import { withDetails, withPlaces } from './knownLink';
import { changedLinkFields } from './linkFields';
import { LINK_OUTPUT } from './linkOutput';
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
import { toolTagFields, withTags } from './utm';
import { listedLink } from './writtenLink';

const keptNotice: INodeProperties = {
	displayName:
		'Some services empty what they cannot show: a password, a note, language targets, parameters and pixels. Enter them again here if the link has any.',
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
	check: (input) => pickPlaces(input, 'updateFields'),
	body: withTags,
	output: LINK_OUTPUT,
	prepare(input) {
		const picked = pickPlaces(input, 'updateFields');
		return async (request, row) => await updateRow(request, linkRowOf(row), picked);
	},
	fields: [
		linkLocator,
		keptNotice,
		...toolTagFields,
		updateFields([...changedLinkFields, ...placeFields]),
		optionsField([createMissingOption]),
	],
};

async function updateRow(
	{ body }: RowRequest,
	row: LinkRow,
	picked: readonly PickedPlace[],
): Promise<RowResult[]> {
	const linkId = row.id('linkId');
	const details = await withDetails(row.index.get(linkId) ?? { id: linkId }, row);
	requireOtherAddress(body, textIn(details.shorturl));
	const places = await findPlaces(picked, row);
	const link = await withPlaces(details, row);
	// An update might empty what no response shows, so a campaign alone is only assigned.
	const isWritten = Object.keys(body).length > 0;
	const written = isWritten
		? await updateLink(link, body, places, row)
		: without(listedLink(link), 'clicks');
	await addToPlaces(missingPlaces(link, places, row), { ...written, outcome: 'updated' }, row);
	return [{ json: { ...written, ...without(body, 'custom', 'domain', 'password', 'url') } }];
}
