import { digest } from '../../shared/values/digest';
import { type Failure, toFailure, inputFailure } from '../../shared/values/failure';
import { mapIn } from '../../shared/values/json';
import { count, isBlank } from '../../shared/values/input';
import { emitsExisting } from '../../shared/triggers/fields';
import { endsPoll, isOutOfTime, type Poll } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { ACCOUNT } from '../account';
import { proveKey } from '../proveKey';
import { checkCode, type Checked, invalidPurchase } from '../purchase';
import { namingCodes } from '../purchaseCode';
import type { CodeEvent } from './codeEvents';
import { CodeStates, KEY_LENGTH, type Watched } from './codeStates';
import { purchaseCodes } from './purchaseCodes';

const DEFAULT_CHECKS = 25;

/** Checks as many codes as one poll may, and returns those that are news. */
export async function checkCodes(
	poll: Poll,
	event: CodeEvent,
	daysBefore = 0,
): Promise<PollResult> {
	const codes = purchaseCodes(poll.parameter('purchaseCodes'));
	if (codes.length === 0 && (poll.isTest || !poll.state)) {
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	}
	const watched = await Promise.all(
		codes.map(async (code) => ({ code, key: await digest(code, KEY_LENGTH) })),
	);
	const { unchecked } = event;
	const known = CodeStates.parse(poll.state);
	const states = known ?? (await begin(event.ignoresExisting ? watched : [], poll));
	// After a restart, a code that is not known may have been given and checked before.
	if (known && poll.isRestart && unchecked !== undefined) known.note(watched, unchecked);
	const open = states.next(watched, event);
	const next = open.slice(0, checksPerPoll(poll));
	const { checked, failed } = await check(next, poll);
	const samples = event.sample(
		[...checked].map(([{ code }, { purchase, reason, at }]) => ({
			record: purchase ?? invalidPurchase(code, reason),
			isValid: purchase !== undefined,
			at,
		})),
	);
	const failures = [...failed.values()];
	const [failure] = failures;
	const isFruitless = (poll.isTest ? samples.length : checked.size) === 0;
	// If other codes wait for their turn, failures that may be about these codes do not end the poll, which would give it to none.
	const isLast = poll.isTest || open.length === next.length || failures.every(isAboutStore);
	if (failure && isFruitless && isLast) {
		throw namingCodes(
			failure,
			Array.from(failed.keys(), ({ code }) => code),
		);
	}
	for (const [{ code }, reason] of failed) poll.warn(namingCodes(reason, [code]));
	if (poll.isTest) return { records: samples, state: undefined };

	const records = [...checked].flatMap(([watchedCode, { purchase, reason, at }]) => {
		const before = states.get(watchedCode);
		const { since } = states;
		const { state, isNew } = event.finding({ purchase, before, since, at, daysBefore });
		states.set(watchedCode, state);
		return isNew ? [purchase ?? invalidPurchase(watchedCode.code, reason)] : [];
	});
	for (const code of failed.keys()) states.set(code, event.afterFailure(states.get(code)));
	if (unchecked !== undefined) states.note(watched, unchecked);
	states.trim(watched);
	return { records, state: states.stored() };
}

/** Asks the store for its time, because purchase dates are compared with the time of the activation. */
async function begin(existing: Watched[], poll: Poll): Promise<CodeStates> {
	const response = await poll.send(ACCOUNT);
	return CodeStates.begin(emitsExisting(poll.parameter) ? [] : existing, response.answeredAt);
}

/** Whether the store is down, which says nothing of a code. */
const isAboutStore = ({ consequences }: Failure): boolean => consequences.isOutage === 'any';

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
