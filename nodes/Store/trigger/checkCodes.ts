import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import {
	endsPoll,
	type Failure,
	inputFailure,
	isOutOfTime,
	toFailure,
} from '../../shared/values/failure';
import { mapIn } from '../../shared/values/json';
import { count, isBlank } from '../../shared/values/input';
import { emitsExisting } from '../../shared/triggers/fields';
import type { Poll } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { ACCOUNT } from '../account';
import { proveKey } from '../proveKey';
import { checkCode, type Checked, invalidPurchase } from '../purchase';
import { namingCodes } from '../purchaseCode';
import type { CodeEvent, Sample } from './codeEvents';
import { CodeStates, KEY_LENGTH, type Watched } from './codeStates';
import { purchaseCodes } from './purchaseCodes';

const DEFAULT_CHECKS = 25;

/** Checks as many codes as one poll may, and returns those that are news. */
export async function checkCodes(
	poll: Poll,
	event: CodeEvent,
	daysBefore = 0,
): Promise<PollResult> {
	const watched = await watchedCodes(poll);
	const states = await statesOf(poll, event, watched);
	const open = states.next(watched, event);
	const next = open.slice(0, checksPerPoll(poll));
	const { checked, failed } = await check(next, poll);
	const samples = poll.isTest ? event.sample([...checked].map(sampleOf)) : [];
	const hasResult = (poll.isTest ? samples.length : checked.size) > 0;
	// If other codes wait for their turn, failures that may be about these codes do not end the poll, which would give it to none.
	const areOthersNext = !poll.isTest && open.length > next.length;
	if (!hasResult && !(areOthersNext && areAboutCodes(failed))) requireNone(failed);
	for (const [{ code }, reason] of failed) poll.warn(namingCodes(reason, [code]));
	if (poll.isTest) return { records: samples, state: undefined };

	const records = [...checked].flatMap(([code, result]) => {
		const { purchase, at } = result;
		const before = states.get(code);
		const { since } = states;
		const { state, isNew } = event.finding({ purchase, before, since, at, daysBefore });
		states.set(code, state);
		return isNew ? [recordOf(code, result)] : [];
	});
	for (const code of failed.keys()) states.set(code, event.afterFailure(states.get(code)));
	if (event.unchecked !== undefined) states.note(watched, event.unchecked);
	states.trim(watched);
	return { records, state: states.stored() };
}

async function watchedCodes(poll: Poll): Promise<Watched[]> {
	const codes = purchaseCodes(poll.parameter('purchaseCodes'));
	if (codes.length === 0 && (poll.isTest || !poll.state)) {
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	}
	return await Promise.all(
		codes.map(async (code) => ({ code, key: await digest(code, KEY_LENGTH) })),
	);
}

/** What is known of the codes at the beginning of the poll. */
async function statesOf(
	poll: Poll,
	{ ignoresExisting, unchecked }: CodeEvent,
	watched: Watched[],
): Promise<CodeStates> {
	const known = CodeStates.parse(poll.state);
	if (!known) return await begin(ignoresExisting ? watched : [], poll);
	// After a restart, a code that is not known may have been given and checked before.
	if (poll.isRestart && unchecked !== undefined) known.note(watched, unchecked);
	return known;
}

const recordOf = ({ code }: Watched, { purchase, reason }: Checked): IDataObject =>
	purchase ?? invalidPurchase(code, reason);

const sampleOf = ([code, result]: [Watched, Checked]): Sample => ({
	record: recordOf(code, result),
	isValid: result.purchase !== undefined,
	at: result.at,
});

/** @throws Failure of the first code, which names them all */
function requireNone(failed: ReadonlyMap<Watched, Failure>): void {
	const [failure] = failed.values();
	const codes = Array.from(failed.keys(), ({ code }) => code);
	if (failure) throw namingCodes(failure, codes);
}

/** Asks the store for its time, because purchase dates are compared with the time of the activation. */
async function begin(existing: Watched[], poll: Poll): Promise<CodeStates> {
	const response = await poll.send(ACCOUNT);
	return CodeStates.begin(emitsExisting(poll.parameter) ? [] : existing, response.answeredAt);
}

/** Whether not all of them say that the store is down, which says nothing of a code. */
const areAboutCodes = (failed: ReadonlyMap<Watched, Failure>): boolean =>
	[...failed.values()].some(({ consequences }) => consequences.isOutage !== 'any');

interface Checks {
	checked: Map<Watched, Checked>;
	failed: Map<Watched, Failure>;
}

/**
 * Checks the codes while the poll has time. A code that the store calls neither valid nor invalid stops no other, and a code
 * counts as invalid only if the key was proved in this poll since.
 * @throws Failure if the key is refused; then all codes stay as they were
 */
async function check(codes: Watched[], poll: Poll): Promise<Checks> {
	const { send, connection } = poll;
	const checked = new Map<Watched, Checked>();
	const failed = new Map<Watched, Failure>();
	let unproved: Watched[] = [];
	for (const watched of codes) {
		try {
			const result = await checkCode(watched.code, send, connection);
			checked.set(watched, result);
			unproved = result.purchase ? [] : [...unproved, watched];
		} catch (error) {
			const failure = toFailure(error);
			if (isOutOfTime(failure)) break;
			if (endsPoll(failure)) throw failure;
			failed.set(watched, failure);
		}
	}
	if (unproved.length === 0) return { checked, failed };
	const failure = await proveKey(send, connection).then(() => undefined, toFailure);
	if (!failure) return { checked, failed };
	for (const watched of unproved) checked.delete(watched);
	if (isOutOfTime(failure)) return { checked, failed };
	if (endsPoll(failure)) throw failure;
	for (const watched of unproved) failed.set(watched, failure);
	return { checked, failed };
}

function checksPerPoll({ parameter }: Poll): number {
	const { checksPerPoll: entered } = mapIn(parameter('options'));
	return isBlank(entered) ? DEFAULT_CHECKS : Math.max(1, count('Checks per Poll', entered));
}
