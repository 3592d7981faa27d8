// Creates a link, with its campaign and channel where the service reads them.

import type { IDataObject } from 'n8n-workflow';

import { USED_UP } from '../../../shared/http/response';
import type { RowRequest } from '../../../shared/operations/operation';
import { type Failure, toFailure } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import type { WantedRow } from './claims';
import { withDomain } from './domain';
import { readNewest, type LinkRow, write } from './linkRow';
import { type FoundPlace, idsOf } from './places';
import { showsPlaces } from './linkDetails';
import { createdLink, mayBeTaken } from './writtenLink';

/**
 * Creates the link of a row. A service that keeps one link for each URL gives an older link again.
 * @param wanted for *Create or Update*: the link has to be on its host, and the next try finds it if no response says that it was made
 * @returns it with its `outcome`; `isInPlaces` if the create has put it into its campaign and channel
 */
export async function createLink(
	request: RowRequest,
	places: readonly FoundPlace[],
	row: LinkRow,
	wanted?: WantedRow,
): Promise<IDataObject> {
	const entered = await withDomain(request.body, row);
	// Page 1 of the list says which links are older, and whether a create reads campaign and channel.
	if (places.length > 0 || mayBeOlder(entered, row)) await readNewest(row);
	const areShown = places.length > 0 && showsPlaces(row) === true;
	const sent = areShown ? idsOf(places) : {};
	const { url: longurl, custom: alias = null } = entered;
	const instead = { outcome: 'created', id: null, shorturl: null, longurl, alias };
	const link = await write(row, { name: 'create', note: '', instead }, async () => {
		const bodies = bodiesOf({ ...entered, ...sent }, row);
		const created = await firstAccepted(bodies, request, row, wanted);
		return { ...created, isInPlaces: areShown && created.outcome === 'created' };
	});
	// The next rows of a dry run find it, too.
	const shorturl = link.shorturl ?? (wanted && `https://${wanted.host}/${textIn(alias) ?? ''}`);
	const { isInPlaces, ...listed } = link;
	row.index.put({ ...listed, shorturl, ...(isInPlaces === true ? sent : {}) });
	return link;
}

const mayBeOlder = ({ custom }: IDataObject, { parameters }: LinkRow): boolean =>
	custom === undefined || mapIn(parameters.options).ifAliasTaken === 'random';

/** Sends the create with one body after the other. If all are refused, the first refusal is the error. */
async function firstAccepted(
	bodies: readonly IDataObject[],
	request: RowRequest,
	row: LinkRow,
	wanted: WantedRow | undefined,
): Promise<IDataObject> {
	let refusal: Failure | undefined;
	for (const body of bodies) {
		try {
			const { body: response } = await row.send({ ...request, body });
			return createdLink(response, body, wanted?.host, row);
		} catch (error) {
			const failure = toFailure(error);
			if (!mayBeTaken(failure)) throw wanted ? retriable(failure, wanted) : failure;
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
function retriable(failure: Failure, { alias }: WantedRow): Failure {
	if (!failure.outcomeUnknown) return failure;
	const advice = failure.kind === 'serverError' ? `${RUN_AGAIN}. ${USED_UP}` : RUN_AGAIN;
	return failure.with({ mayRetry: alias !== undefined, advice });
}
