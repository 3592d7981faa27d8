// *Update*: sends what changes, with the long URL that the API requires.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation, RowRequest, RowResult } from '../../../shared/operations/operation';
import { optionsField } from '../../../shared/operations/panelFields';
import { without } from '../../../shared/values/json';
import { linkLocator } from '../../locators';
import { updateFields } from '../../resourceFields';
import { withTags } from './body';
import { type LinkRow, linkRowOf } from './linkRun';
import { showsPlaces, withDetails, withPlaces } from './knownLink';
import { changedLinkFields, toolTagFields, utmFormatOption } from './linkFields';
import { LINK_OUTPUT } from './linkOutput';
import { requireNoLoop } from './loop';
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
import { checkDomain, listedLink } from './writtenLink';

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
		optionsField([createMissingOption, utmFormatOption]),
	],
};

async function updateRow(
	request: RowRequest,
	row: LinkRow,
	picked: readonly PickedPlace[],
): Promise<RowResult[]> {
	const linkId = row.id('linkId');
	checkDomain(request.body, row);
	const known = row.index.get(linkId) ?? { id: linkId };
	const details = await withDetails(known, row);
	requireNoLoop(request.body, row, details);
	const places = await findPlaces(picked, row);
	const link = await withPlaces(details, row);
	// An update might empty what no response shows, so a campaign alone is only assigned.
	const isWritten = Object.keys(request.body).length > 0;
	const written = isWritten
		? await updateLink(link, request.body, places, row)
		: without(listedLink(link), 'clicks');
	const missing = missingPlaces(link, places, showsPlaces(row) === true);
	await addToPlaces(missing, { ...written, outcome: 'updated' }, row, false);
	return [
		{ json: { ...written, ...without(request.body, 'custom', 'domain', 'password', 'url') } },
	];
}
