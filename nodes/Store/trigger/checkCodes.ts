import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import {
	endsPoll,
	Failure,
	inputFailure,
	isOutOfTime,
	toFailure,
} from '../../shared/values/failure';
import { mapIn, textIn } from '../../shared/values/json';
import { count, isBlank } from '../../shared/values/input';
import { emitsExisting } from '../../shared/triggers/fields';
import type { Poll, PollResult } from '../../shared/triggers/poll';
import { askForAccount } from '../account';
import { checkCode, type Checked, invalidPurchase } from '../purchase';
import { namingCode } from '../purchaseCode';
import { becameInvalid, type CodeEvent, VALID } from './codeEvents';
import { MAX_CODES, purchaseCodes } from './purchaseCodes';

/** Characters of a code's hash. The chance that two of 10,000 codes have the same is one in five million. */
const KEY_LENGTH = 8;

/** Checks as many codes as one poll may, and returns those that are news. New codes go first, the others take turns. */
export async function checkCodes(
	poll: Poll,
	event: CodeEvent,
	daysBefore = 0,
): Promise<PollResult> {
	const watched = await watchedCodes(poll);
	/** What is known of each code, by its key. The one that was checked last is the last. */
	const states = statesIn(poll.state);
	const isFirst = !poll.state && !emitsExisting(poll.parameter);
	if (isFirst) for (const key of watched.keys()) states.set(key, event.given);
	const added = [...watched.keys()].filter((key) => !states.has(key));
	const inTurn = [...states.keys()].filter((key) => !event.isOnce || states.get(key) !== VALID);
	const open = [...added, ...inTurn].filter((key) => watched.has(key));
	const next = open.slice(0, checksPerPoll(poll));
	const checked = await check(next, watched, poll, open.length > next.length);
	const records: IDataObject[] = [];
	for (const [key, result] of checked) {
		const before = states.get(key) ?? event.added;
		// Deleted first, so that it becomes the last one.
		states.delete(key);
		states.set(key, before);
		if (!result) continue;
		const { purchase, reason, at } = result;
		const found = event.finding(purchase, isFirst ? event.first : before, at, daysBefore);
		states.set(key, found.state);
		const record = purchase ?? invalidPurchase(watched.get(key) ?? '', reason);
		if (found.isNew) records.push(record);
		else if (poll.isTest && (purchase || event === becameInvalid))
			records.push({ ...record, is_sample: true });
	}
	// A list from an expression may be empty for a while, so codes that are not watched now stay, unless there are too many.
	for (const key of states.keys())
		if (states.size > MAX_CODES && !watched.has(key)) states.delete(key);
	return { records, state: { codes: [...states].map((entry) => entry.join('')).join(' ') } };
}

function statesIn(stored: IDataObject | undefined): Map<string, string> {
	const words = textIn(stored?.codes)?.split(' ') ?? [];
	return new Map(words.map((word) => [word.slice(0, KEY_LENGTH), word.slice(KEY_LENGTH)]));
}

/** The codes by their keys, because 10,000 codes have to fit into a workflow's static data. */
async function watchedCodes(poll: Poll): Promise<Map<string, string>> {
	const codes = purchaseCodes(poll.parameter('purchaseCodes'));
	if (codes.length === 0 && !poll.state)
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	const keys = await Promise.all(codes.map(async (code) => await digest(code, KEY_LENGTH)));
	return new Map(keys.map((key, at) => [key, codes[at] ?? '']));
}

/**
 * Checks codes while the poll has time. A code that the store calls neither valid nor invalid stops no other.
 * @param areOthersNext whether other codes wait for their turn, so that failures about these codes do not end the poll
 * @throws Failure if the key is refused: a store may say the same about a wrong key as about an invalid code
 */
async function check(
	keys: string[],
	watched: ReadonlyMap<string, string>,
	poll: Poll,
	areOthersNext: boolean,
): Promise<Map<string, Checked | undefined>> {
	const { send, connection } = poll;
	const checked = new Map<string, Checked | undefined>();
	const failures: Failure[] = [];
	for (const key of keys) {
		const code = watched.get(key) ?? '';
		const result = await checkCode(code, send, connection).catch(toFailure);
		if (!(result instanceof Failure)) {
			checked.set(key, result);
			continue;
		}
		if (isOutOfTime(result)) break;
		if (endsPoll(result)) throw result;
		failures.push(namingCode(result, code));
		if (result.consequences.isOutage === 'any') break;
		checked.set(key, undefined);
	}
	const results = [...checked.values()].flatMap((result) => result ?? []);
	const isProved = results.some(({ purchase }) => purchase);
	if (results.length > 0 && !isProved) await askForAccount(send);
	const [failure] = failures;
	const isStuck = results.length === 0 && (checked.size === 0 || !areOthersNext);
	if (failure && isStuck) throw failure;
	for (const each of failures) poll.warn(each);
	return checked;
}

function checksPerPoll({ parameter }: Poll): number {
	const { checksPerPoll: entered } = mapIn(parameter('options'));
	return isBlank(entered) ? 25 : Math.max(1, count('Checks per Poll', entered));
}
