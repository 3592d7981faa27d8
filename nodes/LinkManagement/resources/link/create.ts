// *Create*: the link, with its campaign and channel where the service reads them, then its QR code.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { USED_UP } from '../../../shared/http/response';
import type { Operation, RowRequest } from '../../../shared/operations/operation';
import { includeInputFields, optionsField } from '../../../shared/operations/panelFields';
import { type Failure, toFailure } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { additionalFields } from '../../resourceFields';
import { newLinkBody, withDomain } from './body';
import { claimLink } from './claims';
import { addedLinkFields, newLinkFields } from './linkFields';
import { type LinkRow, linkRowOf, readNewest, type Wanted, write } from './linkRow';
import { createQrCode, qrCodeOf } from './ownQrCode';
import {
	addToPlaces,
	createMissingOption,
	findPlaces,
	pickPlaces,
	placeFields,
	sentPlaces,
} from './places';
import { withRedirectPage } from './redirect';
import { utmFormatOption } from './utm';
import { createdLink, LINK_OUTPUT, mayBeTaken } from './writtenLink';

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
	body: newLinkBody,
	failed: { outcome: 'failed' },
	output: LINK_OUTPUT,
	prepare(context) {
		const row = linkRowOf(context, pickPlaces(context));
		return async (request) => {
			const link = await createLink(withRedirectPage(request, row), row);
			return [{ json: { ...link, ...(await qrCodeOf(link, row)) } }];
		};
	},
	fields: [
		...newLinkFields,
		additionalFields([...addedLinkFields, ...placeFields, createQrCode]),
		optionsField([createMissingOption, ifAliasTaken, includeInputFields, utmFormatOption]),
	],
};

/** Creates the link of a row, in its places. A service may give an older link to the URL again: *Create* leaves that alone. */
export async function createLink(request: RowRequest, row: LinkRow): Promise<IDataObject> {
	const { body } = request;
	const places = await findPlaces(row);
	const entered = body.domain === undefined ? body : await withDomain(body, row);
	// Page 1 of the list says which links are older, and whether a create reads campaign and channel.
	if (places.length > 0 || mayBeOlder(entered, row)) await readNewest(row);
	const sent = places.length > 0 ? sentPlaces(places, row) : {};
	const { url: longurl, custom: alias = null } = entered;
	const instead = { outcome: 'created', id: null, shorturl: null, longurl, alias };
	const { isPlaced, ...link } = await write(row, 'create', instead, async () => {
		const bodies = bodiesOf({ ...entered, ...sent }, row);
		const created = await firstAccepted(bodies, request, row);
		const isNew = created.outcome === 'created';
		return { ...created, isPlaced: isNew ? sent !== undefined : !row.wanted };
	});
	// The next rows of a dry run find it, too.
	row.index.put({ ...link, shorturl: link.shorturl ?? row.wanted?.shortUrl });
	claimLink(link, row);
	if (isPlaced !== true) await addToPlaces(places, link, row);
	return link;
}

const mayBeOlder = ({ custom }: IDataObject, { parameters }: LinkRow): boolean =>
	custom === undefined || mapIn(parameters.options).ifAliasTaken === 'random';

/** Sends the create with one body after the other. If all are refused, the first refusal is the error. */
async function firstAccepted(
	bodies: readonly IDataObject[],
	request: RowRequest,
	row: LinkRow,
): Promise<IDataObject> {
	let refusal: Failure | undefined;
	for (const body of bodies) {
		try {
			const { body: response } = await row.send({ ...request, body });
			return createdLink(response, body, row);
		} catch (error) {
			const failure = toFailure(error);
			if (!mayBeTaken(failure)) throw row.wanted ? retriable(failure, row.wanted) : failure;
			refusal ??= failure;
		}
	}
	throw toFailure(refusal);
}

/** The body, followed by those with other aliases to try if the service refuses the entered one: see *If Alias Is Taken*. */
function bodiesOf(body: IDataObject, { parameters }: LinkRow): IDataObject[] {
	const { custom, ...others } = body;
	const { ifAliasTaken } = mapIn(parameters.options);
	const alias = textIn(custom);
	if (alias === undefined) return [body];
	if (ifAliasTaken === 'random') return [body, others];
	const numbers = ifAliasTaken === 'suffix' ? [2, 3, 4] : [];
	return [body, ...numbers.map((number) => ({ ...others, custom: `${alias}-${number}` }))];
}

const RUN_AGAIN =
	'Run the workflow again: a link that was created is found, not created twice. If the row has a campaign or channel, add it there';

/** The service refuses a second link with the alias, should the first one come late. */
function retriable(failure: Failure, { alias }: Wanted): Failure {
	if (!failure.outcomeUnknown) return failure;
	const advice = failure.kind === 'serverError' ? `${RUN_AGAIN}. ${USED_UP}` : RUN_AGAIN;
	return failure.with({ mayRetry: alias !== undefined, advice });
}
