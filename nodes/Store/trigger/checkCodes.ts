// The way of a poll for purchase codes: pick the codes whose turn it is, check them, prove the key, keep what is known of each.

import type { IDataObject } from 'n8n-workflow';

import { isOutOfTime, toFailure } from '../../shared/values/failure';
import { mapIn } from '../../shared/values/json';
import { parseCount, isBlank } from '../../shared/values/input';
import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { askForAccount } from '../accountRequest';
import { checkCode, type CodeVerdict, invalidPurchase } from '../codeVerdict';
import { namingCode } from '../purchaseCode';
import { becameInvalid, type CodeEvent, VALID } from './codeEvents';
import { type CodeStates, codeStatesIn, storedCodes, watchedCodes } from './codes';

/** Checks as many codes as one poll may, and returns those that are news. New codes go first, the others take turns. */
export async function checkCodes(
	poll: Poll,
	event: CodeEvent,
	daysBefore = 0,
): Promise<PollResult> {
	const watched = watchedCodes(poll);
	const states = codeStatesIn(poll.state);
	const isFirst = !poll.isTest && !poll.state && !emitsExisting(poll.parameter);
	if (isFirst) for (const code of watched) states.set(code, event.given);
	const next = codesInTurn(watched, states, event).slice(0, checksPerPoll(poll));
	const checked = await check(next, poll);
	const records: IDataObject[] = [];
	for (const [code, { purchase, reason, at }] of checked) {
		const before = states.get(code) ?? event.added;
		const found = event.finding(purchase, isFirst ? event.first : before, at, daysBefore);
		// Deleted first, so that it becomes the last one.
		states.delete(code);
		states.set(code, found.state);
		const record = purchase ?? invalidPurchase(code, reason);
		const isSample = poll.isTest && (purchase !== undefined || event === becameInvalid);
		if (found.isNew) records.push(record);
		else if (isSample) records.push({ ...record, is_sample: true });
	}
	return { records, state: storedCodes(states, watched) };
}

function codesInTurn(
	watched: ReadonlySet<string>,
	states: CodeStates,
	{ isOnce }: CodeEvent,
): string[] {
	const added = [...watched].filter((code) => !states.has(code));
	const inTurn = [...states.keys()].filter((code) => !isOnce || states.get(code) !== VALID);
	return [...added, ...inTurn].filter((code) => watched.has(code));
}

/** Checks codes while the poll has time, and proves the key: see `keyVerifier.ts`. @throws Failure without a verdict */
async function check(
	codes: string[],
	{ send, connection }: Poll,
): Promise<Map<string, CodeVerdict>> {
	const checked = new Map<string, CodeVerdict>();
	for (const code of codes) {
		try {
			checked.set(code, await checkCode(code, send, connection));
		} catch (error) {
			const failure = toFailure(error);
			if (isOutOfTime(failure) && checked.size > 0) break;
			throw failure.consequences.endsPoll ? failure : namingCode(failure, code);
		}
	}
	const isProved = [...checked.values()].some(({ purchase }) => purchase);
	if (checked.size > 0 && !isProved) await askForAccount(send);
	return checked;
}

function checksPerPoll({ parameter }: Poll): number {
	const { checksPerPoll: entered } = mapIn(parameter('options'));
	return isBlank(entered) ? 25 : Math.max(1, parseCount('Checks per Poll', entered));
}
