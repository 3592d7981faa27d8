// The way of a poll for purchase codes: pick the codes whose turn it is, check them, prove the key, keep what is known of each.

import type { IDataObject } from 'n8n-workflow';

import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { type Failure, isOutOfTime, toFailure } from '../../shared/values/failure';
import { isBlank, parseCount } from '../../shared/values/input';
import { mapIn } from '../../shared/values/json';
import { type CodeVerdict, invalidPurchase } from '../codeVerdict';
import { KeyVerifier } from '../keyVerifier';
import { namingCode } from '../purchaseCode';
import type { CodeEvent, KnownCode } from './codeEvents';
import { type KnownCodes, knownCodesIn, storedCodes, watchedCodes } from './codes';

/** Checks as many codes as one poll may, and returns those that are news. New codes go first, the others take turns. */
export async function checkCodes(
	poll: Poll,
	event: CodeEvent,
	daysBefore = 0,
): Promise<PollResult> {
	const watched = watchedCodes(poll);
	const known = knownCodesIn(poll.state);
	const isFirst = !poll.isTest && !poll.state && !emitsExisting(poll.parameter);
	const state = isFirst ? 'new' : 'open';
	const inTurn = codesInTurn(watched.codes, known, event);
	if (isFirst) for (const code of watched.codes) known.set(code, { state });
	const { verdicts, failures, tried } = await check(inTurn.slice(0, checksPerPoll(poll)), poll);
	const records: IDataObject[] = [];
	for (const code of tried) {
		const before = known.get(code) ?? { state };
		const verdict = verdicts.get(code);
		const found = verdict && event.transition(before, verdict, daysBefore);
		// Deleted first, so that it becomes the last one.
		known.delete(code);
		known.set(code, found?.next ?? before);
		if (!found) continue;
		const record = recordOf(code, verdict, before, event);
		const isSample = poll.isTest && (verdict.purchase !== undefined || event.isOfInvalid === true);
		if (found.starts) records.push(record);
		else if (isSample) records.push({ ...record, is_sample: true });
	}
	const [failure = watched.failure] = failures;
	return { records, state: storedCodes(known, watched.codes), failure };
}

function codesInTurn(
	watched: ReadonlySet<string>,
	known: KnownCodes,
	{ isOnce }: CodeEvent,
): string[] {
	const added = [...watched].filter((code) => !known.has(code));
	const inTurn = [...known].filter(([, { state }]) => !isOnce || state !== 'valid');
	return [...added, ...inTurn.map(([code]) => code)].filter((code) => watched.has(code));
}

function recordOf(
	code: string,
	{ purchase, reason }: CodeVerdict,
	{ before }: KnownCode,
	{ isOfInvalid }: CodeEvent,
): IDataObject {
	const record = purchase ?? invalidPurchase(code, reason);
	return isOfInvalid ? { ...record, before: before ?? null } : record;
}

/** Checks codes while the poll has time. A code that cannot be checked stops no other. @throws Failure if the key is refused */
async function check(codes: readonly string[], { send, connection, state }: Poll) {
	const verifier = new KeyVerifier(send, connection);
	const tried: string[] = [];
	const verdicts = new Map<string, CodeVerdict>();
	const failures: Failure[] = [];
	for (const code of codes) {
		const isFirst = tried.length === 0;
		tried.push(code);
		try {
			verdicts.set(code, await verifier.check(code));
		} catch (error) {
			const failure = toFailure(error);
			// A first poll without any check is none.
			if (isOutOfTime(failure) && (state || !isFirst)) break;
			if (failure.consequences.endsPoll) throw failure;
			failures.push(namingCode(failure, code));
		}
	}
	const doubt = await verifier.proveLast().then(() => undefined, toFailure);
	if (doubt && !(isOutOfTime(doubt) && state)) throw doubt;
	if (doubt) verdicts.clear();
	return { tried, verdicts, failures };
}

function checksPerPoll({ parameter }: Poll): number {
	const { checksPerPoll: entered } = mapIn(parameter('options'));
	return isBlank(entered) ? 25 : Math.max(1, parseCount('Checks per Poll', entered));
}
