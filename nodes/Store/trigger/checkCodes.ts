// The way of a poll for purchase codes: pick the codes whose turn it is, check them, prove the key, keep what is known of each.

import type { IDataObject } from 'n8n-workflow';

import { notesOnly, type Poll, type PollResult } from '../../shared/triggers/poll';
import { type Failure, isOutOfTime, quoted, toFailure } from '../../shared/values/failure';
import { isBlank, parseCount } from '../../shared/values/input';
import { mapIn } from '../../shared/values/json';
import { type CodeVerdict, invalidPurchase, KeyVerifier } from '../codeVerdict';
import { codeKey } from '../purchaseCode';
import type { CodeEvent, KnownCode } from './codeEvents';
import { knownCodesIn, storedCodes, watchedCodes } from './codes';

const CODES_PER_PROOF = 5;

/** Checks as many codes as one poll may, and returns those that are news. New codes go first, the others take turns. */
export async function checkCodes(
	poll: Poll,
	event: CodeEvent,
	daysBefore = 0,
): Promise<PollResult> {
	const watched = watchedCodes(poll);
	const known = knownCodesIn(poll.state);
	const added = [...watched.keys()].filter((key) => !known.has(key));
	const older = [...known].filter(([, { state }]) => !event.isOnce || state !== 'valid');
	const inTurn = [...added, ...older.map(([key]) => key)].flatMap((key) => watched.get(key) ?? []);
	if (notesOnly(poll)) for (const key of watched.keys()) known.set(key, { state: 'new' });
	const { verdicts, failure } = await check(inTurn.slice(0, checksPerPoll(poll)), poll);
	const records = [...verdicts].flatMap(([code, verdict]) => {
		const key = codeKey(code);
		const before = known.get(key) ?? { state: 'open' };
		const found = verdict && { verdict, ...event.transition(before, verdict, daysBefore) };
		// Deleted first, so that it becomes the last one.
		known.delete(key);
		known.set(key, found?.next ?? before);
		return found ? outputOf(code, { ...found, before }, event, poll) : [];
	});
	return { records, state: storedCodes(known, watched), failure };
}

interface Found {
	verdict: CodeVerdict;
	starts: boolean;
	before: KnownCode;
}

/** The record of a code that starts the workflow. A test shows one that does not as a sample. */
function outputOf(
	code: string,
	{ verdict: { purchase, reason }, starts, before }: Found,
	{ isOfInvalid }: CodeEvent,
	{ isTest }: Poll,
): IDataObject[] {
	const isSample = isTest && (isOfInvalid === true || purchase !== undefined);
	if (!starts && !isSample) return [];
	const record = purchase ?? invalidPurchase(code, reason);
	return [
		{
			...record,
			...(isOfInvalid && { before: before.before ?? null }),
			...(!starts && { is_sample: true }),
		},
	];
}

/**
 * Checks codes while the poll has time, and proves the key after a few of them: what has no proof is checked again.
 * @returns what became of each; undefined for one that could not be checked, which stops no other @throws Failure if the key is refused
 */
async function check(codes: readonly string[], { send, connection, state }: Poll) {
	const verifier = new KeyVerifier(send, connection);
	const verdicts = new Map<string, CodeVerdict | undefined>();
	const failures: Failure[] = [];
	const checked = async (code: string): Promise<CodeVerdict | undefined> => {
		try {
			return await verifier.check(code);
		} catch (error) {
			const failure = toFailure(error);
			// Also the code at which the time ran out goes to the end: maybe no response to it ever comes.
			if (state || verdicts.size > 0) verdicts.set(code, undefined);
			if (failure.consequences.endsPoll) throw failure;
			const message = `${failure.message} (purchase code ${quoted(code)})`;
			failures.push(failure.with({ message }));
			return undefined;
		}
	};
	try {
		for (let at = 0; at < codes.length; at += CODES_PER_PROOF) {
			const invalid: Array<[string, CodeVerdict]> = [];
			for (const code of codes.slice(at, at + CODES_PER_PROOF)) {
				const verdict = await checked(code);
				if (verdict && !verdict.purchase) invalid.push([code, verdict]);
				else verdicts.set(code, verdict);
			}
			await verifier.prove();
			for (const [code, verdict] of invalid) verdicts.set(code, verdict);
		}
	} catch (error) {
		// A first poll without any check is none.
		if (!isOutOfTime(error) || (!state && verdicts.size === 0)) throw toFailure(error);
	}
	return { verdicts, failure: failures[0] };
}

function checksPerPoll({ parameters }: Poll): number {
	const { checksPerPoll: entered } = mapIn(parameters.options);
	return isBlank(entered) ? 25 : Math.max(1, parseCount('Checks per Poll', entered));
}
