// *Update*: sends what changes, with the long URL that the API requires.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type {
	Operation,
	RowContext,
	RowRequest,
	RowResult,
} from '../../../shared/operations/operation';
import { optionsField } from '../../../shared/operations/panelFields';
import { textIn, without } from '../../../shared/values/json';
import { linkLocator } from '../../locators';
import { updateFields } from '../../resourceFields';
import { withDomain, withTags } from './body';
import { hasAlias, keptMembers, showsPlaces, withDetails, withPlaces } from './knownLink';
import { changedLinkFields, toolTagFields, utmFormatOption } from './linkFields';
import { LINK_OUTPUT } from './linkOutput';
import { linkIndex } from './linkRun';
import { requireNoLoop } from './loop';
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
import { checkDomain, updatedLink } from './writtenLink';

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
	body: withTags,
	output: LINK_OUTPUT,
	prepare(input) {
		const picked = pickPlaces(input, 'updateFields');
		return async (request, row) => await updateLink(request, row, picked);
	},
	fields: [
		linkLocator,
		keptNotice,
		...toolTagFields,
		updateFields([...changedLinkFields, ...placeFields]),
		optionsField([createMissingOption, utmFormatOption]),
	],
};

/**
 * Services may empty what an update does not send, so the link is read first, and sent back as far as responses show it. The API
 * requires the long URL on every update.
 */
async function updateLink(
	request: RowRequest,
	row: RowContext,
	picked: readonly PickedPlace[],
): Promise<RowResult[]> {
	const { linkId = 0 } = request.ids;
	checkDomain(request.body, row);
	const known = linkIndex(row).get(linkId) ?? { id: linkId };
	const details = await withDetails(known, row);
	requireNoLoop(request.body, row, details);
	const places = await findPlaces(picked, row);
	const link = await withPlaces(details, row);
	const body = await bodyOf(link, request.body, places, row);
	const response = await row.send({ ...request, body });
	const written = updatedLink(response.body, body, link);
	const missing = missingPlaces(link, places, showsPlaces(row) === true);
	await addToPlaces(missing, { ...written, outcome: 'updated' }, row, false);
	return [
		{ json: { ...written, ...without(request.body, 'custom', 'domain', 'password', 'url') } },
	];
}

/** What an update sends: what the row says, and what the link is to keep. */
async function bodyOf(
	link: IDataObject,
	entered: IDataObject,
	places: readonly FoundPlace[],
	row: RowContext,
): Promise<IDataObject> {
	const tagged = withTags({ ...entered, url: entered.url ?? textIn(link.longurl) });
	const { custom, ...others } = await withDomain(tagged, row);
	const alias = custom === undefined || hasAlias(link, { custom }) ? {} : { custom };
	const { campaign } = showsPlaces(row) === true ? idsOf(places) : {};
	const said = { ...others, ...alias, ...(campaign === undefined ? {} : { campaign }) };
	return { ...(await keptMembers(link, said, row)), ...said };
}
