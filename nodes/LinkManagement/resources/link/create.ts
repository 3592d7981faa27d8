// *Create*: one request for each alias that is tried, then those for campaign, channel and QR code.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../../shared/operations/panelFields';
import type { Operation, RowRequest, RowContext } from '../../../shared/operations/operation';
import { type Failure, toFailure } from '../../../shared/values/failure';
import { mapIn, textIn, without } from '../../../shared/values/json';
import { additionalFields } from '../../resourceFields';
import { withDomain, withTags } from './body';
import { addedLinkFields, inputFieldsOption, newLinkFields, utmFormatOption } from './linkFields';
import { showsPlaces } from './knownLink';
import { createQrCode, qrCodeOf } from './ownQrCode';
import { LINK_OUTPUT } from './linkOutput';
import { linkIndex, noteTarget, readNewest } from './linkRun';
import { requireNoLoop } from './loop';
import {
	addToPlaces,
	createMissingOption,
	findPlaces,
	type FoundPlace,
	idsOf,
	pickPlaces,
	placeFields,
} from './places';
import { withRedirectPage } from './redirect';
import { checkDomain, createdLink, mayBeTaken } from './writtenLink';

const ifAliasTaken: INodeProperties = {
	displayName: 'If Alias Is Taken',
	name: 'ifAliasTaken',
	type: 'options',
	options: [
		{
			name: 'Add a Number',
			value: 'suffix',
			description: 'Try the alias with -2, -3 and -4 after it',
		},
		{ name: 'Fail', value: 'error', description: 'Fail with the error of the service' },
		{ name: 'Use a Random Alias', value: 'random', description: 'Try again without an alias' },
	],
	default: 'error',
	description: 'What to do if the service refuses the custom alias',
};

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create short link',
	description: 'Create a short link for a long URL, and return its ID, short URL and alias',
	request: { method: 'POST', url: '/api/url/add' },
	body: withTags,
	failed: { outcome: 'failed' },
	output: LINK_OUTPUT,
	prepare(input) {
		const picked = pickPlaces(input);
		return async (request, row) => {
			checkDomain(request.body, row);
			requireNoLoop(request.body, row);
			const places = await findPlaces(picked, row);
			const link = await row.writes.once(
				'create',
				async () => await createLink({ request, places }, row),
			);
			if (link.outcome === 'created' && link.isInPlaces !== true)
				await addToPlaces(places, link, row, false);
			return [{ json: { ...without(link, 'isInPlaces'), ...(await qrCodeOf(link, row)) } }];
		};
	},
	fields: [
		...newLinkFields,
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([createMissingOption, ifAliasTaken, inputFieldsOption, utmFormatOption]),
	],
};

interface NewLink {
	request: RowRequest;
	places: readonly FoundPlace[];
}

/** Creates the link. A service that keeps one link for each URL gives an older link again. */
async function createLink({ request, places }: NewLink, row: RowContext): Promise<IDataObject> {
	// Page 1 of the list says which links are older, and whether a create reads campaign and channel.
	if (places.length > 0 || mayGetOlderLink(request.body)) await readNewest(row);
	const isInPlaces = places.length > 0 && showsPlaces(row) === true;
	const sent = isInPlaces ? idsOf(places) : {};
	const page = withRedirectPage(request.body, row);
	const body = { ...(await withDomain(page, row)), ...sent };
	const link = await firstAccepted(bodiesOf(body, row), request, row);
	linkIndex(row).put(link);
	noteTarget(link, row);
	return isInPlaces ? { ...link, isInPlaces } : link;
}

/** Whether the answer may be an older link to the same URL, which lacks something that the row says. */
const mayGetOlderLink = ({ custom, ...others }: IDataObject): boolean =>
	custom === undefined && Object.keys(others).some((name) => name !== 'url' && name !== 'domain');

/** Sends the create with one body after the other. If all are refused, the first refusal is the error. */
async function firstAccepted(
	bodies: readonly IDataObject[],
	request: RowRequest,
	row: RowContext,
): Promise<IDataObject> {
	const refusals: Failure[] = [];
	for (const body of bodies) {
		try {
			const { body: response } = await row.send({ ...request, body });
			return await createdLink(response, body, row);
		} catch (error) {
			const failure = toFailure(error);
			if (!mayBeTaken(failure)) throw failure;
			refusals.push(failure);
		}
	}
	throw toFailure(refusals[0]);
}

/** The body, followed by those with other aliases to try if the service refuses the entered one. */
function bodiesOf(body: IDataObject, { input }: RowContext): IDataObject[] {
	const { custom, ...others } = body;
	const { ifAliasTaken: choice } = mapIn(input.parameter('options'));
	const alias = textIn(custom);
	if (alias === undefined || choice === 'error') return [body];
	if (choice === 'random') return [body, others];
	const numbers = choice === 'suffix' ? [2, 3, 4] : [];
	return [body, ...numbers.map((number) => ({ ...others, custom: `${alias}-${number}` }))];
}
