// The way of a poll for purchase codes: pick the codes whose turn it is, check them, prove the key, keep what is known of each.

import type { IDataObject } from 'n8n-workflow';

import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { type Failure, isOutOfTime, toFailure } from '../../shared/values/failure';
import { isBlank, parseCount } from '../../shared/values/input';
import { idIn, mapIn } from '../../shared/values/json';
import { type CodeVerdict, invalidPurchase } from '../codeVerdict';
import { KeyVerifier } from '../keyVerifier';
import { codeKey, namingCode } from '../purchaseCode';
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
	const isFirst = !poll.isTest && !poll.state && !emitsExisting(poll.parameters);
	const state = isFirst ? 'new' : 'open';
	const inTurn = codesInTurn(watched.codes, known, event);
	if (isFirst) for (const code of watched.codes.keys()) known.set(code, { state });
	const most = checksPerPoll(poll);
	const checks = Math.min(most, idIn(poll.state?.checks) ?? most);
	const { verdicts, failures, tried, isCut, count } = await check(inTurn.slice(0, checks), poll);
	const records: IDataObject[] = [];
	for (const code of tried) {
		const key = codeKey(code);
		const before = known.get(key) ?? { state };
		const verdict = verdicts.get(code);
		const found = verdict && event.transition(before, verdict, daysBefore);
		// Deleted first, so that it becomes the last one.
		known.delete(key);
		known.set(key, found?.next ?? before);
		if (!found) continue;
		const record = recordOf(code, verdict, before, event);
		const isSample = poll.isTest && (verdict.purchase !== undefined || event.isOfInvalid === true);
		if (found.starts) records.push(record);
		else if (isSample) records.push({ ...record, is_sample: true });
	}
	const [failure = watched.failure] = failures;
	// A poll that had no time left to prove the key is followed by a shorter one.
	const next = isCut ? Math.max(1, count - 1) : checks + 1;
	const stored = storedCodes(known, watched.codes);
	return { records, state: next < most ? { ...stored, checks: next } : stored, failure };
}

function codesInTurn(
	watched: ReadonlyMap<string, string>,
	known: KnownCodes,
	{ isOnce }: CodeEvent,
): string[] {
	const added = [...watched.keys()].filter((key) => !known.has(key));
	const inTurn = [...known].filter(([, { state }]) => !isOnce || state !== 'valid');
	return [...added, ...inTurn.map(([key]) => key)].flatMap((key) => watched.get(key) ?? []);
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
	let isCut = false;
	for (const code of codes) {
		try {
			verdicts.set(code, await verifier.check(code));
		} catch (error) {
			const failure = toFailure(error);
			// A first poll without any check is none.
			isCut = isOutOfTime(failure) && (state !== undefined || tried.length > 0);
			if (!isCut && failure.consequences.endsPoll) throw failure;
			if (!isCut) failures.push(namingCode(failure, code));
		}
		// Also the code at which the time ran out: maybe no response to it ever comes.
		tried.push(code);
		if (isCut) break;
	}
	const doubt = await verifier.proveLast().then(() => undefined, toFailure);
	const count = verdicts.size + failures.length;
	if (!doubt) return { tried, verdicts, failures, isCut, count };
	if (!isOutOfTime(doubt)) throw doubt;
	// A valid code needs no proof. The others are checked again.
	const valid = new Map([...verdicts].filter(([, { purchase }]) => purchase));
	const settled = tried.filter((code) => valid.has(code) || !verdicts.has(code));
	return { tried: settled, verdicts: valid, failures, isCut: true, count };
}

function checksPerPoll({ parameters }: Poll): number {
	const { checksPerPoll: entered } = mapIn(parameters.options);
	return isBlank(entered) ? 25 : Math.max(1, parseCount('Checks per Poll', entered));
}
