// Creates a link: one request for each alias that is tried.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest } from '../../../shared/operations/operation';
import { type Failure, toFailure } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { withDomain } from './body';
import { showsPlaces } from './knownLink';
import { requireNoLoop } from './loop';
import { readAgainIfEmpty, readNewest, type LinkRow } from './linkRun';
import { type FoundPlace, idsOf } from './places';
import { createdLink, mayBeTaken } from './writtenLink';

/**
 * Creates the link of a row. A service that keeps one link for each URL gives an older link again.
 * @returns it with its `outcome`; `isInPlaces` if the create has put it into its campaign and channel
 */
export async function createLink(
	request: RowRequest,
	places: readonly FoundPlace[],
	row: LinkRow,
): Promise<IDataObject> {
	const hasPlaces = places.length > 0;
	const mayBeOlder = bodiesOf(request.body, row).some(({ custom }) => custom === undefined);
	// Page 1 of the list says which links are older, and whether a create reads campaign and channel.
	if (hasPlaces || mayBeOlder) await readNewest(row);
	if (hasPlaces) await readAgainIfEmpty(row);
	const areShown = hasPlaces && showsPlaces(row) === true;
	const sent = areShown ? idsOf(places) : {};
	const body = { ...(await withDomain(request.body, row)), ...sent };
	const link = await firstAccepted(bodiesOf(body, row), request, row);
	const isNew = link.outcome === 'created';
	row.index.put({ ...link, ...(isNew ? sent : {}) });
	return isNew && areShown ? { ...link, isInPlaces: true } : link;
}

const CHOOSE_ANOTHER_ALIAS =
	'Check the values you entered. If the alias is taken, choose another one';

/** Sends the create with one body after the other. If all are refused, the first refusal is the error. */
async function firstAccepted(
	bodies: readonly IDataObject[],
	request: RowRequest,
	row: LinkRow,
): Promise<IDataObject> {
	const refusals: Failure[] = [];
	for (const body of bodies) {
		if (refusals.length > 0) requireNoLoop(body, row);
		try {
			const { body: response } = await row.send({ ...request, body });
			return await createdLink(response, body, row);
		} catch (error) {
			const failure = toFailure(error);
			if (!mayBeTaken(failure)) throw failure;
			refusals.push(failure);
		}
	}
	const refusal = toFailure(refusals[0]);
	const isAliasSent = bodies[0]?.custom !== undefined;
	throw isAliasSent ? refusal.with({ advice: CHOOSE_ANOTHER_ALIAS }) : refusal;
}

/** The body, followed by those with other aliases to try if the service refuses the entered one: see *If Alias Is Taken*. */
function bodiesOf(body: IDataObject, { input }: LinkRow): IDataObject[] {
	const { custom, ...others } = body;
	const { ifAliasTaken: choice } = mapIn(input.parameters.options);
	const alias = textIn(custom);
	if (alias === undefined) return [body];
	if (choice === 'random') return [body, others];
	const numbers = choice === 'suffix' ? [2, 3, 4] : [];
	return [body, ...numbers.map((number) => ({ ...others, custom: `${alias}-${number}` }))];
}
