import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import type { RateLimiter } from '../../shared/http/rateLimiter';
import type { Failure } from '../../shared/values/failure';
import { failureOf, inputFailure, quoted } from '../../shared/values/failure';
import { idIn, integerIn, mapIn, requireIds } from '../../shared/values/json';
import { count, isBlank } from '../../shared/values/text';
import { emitsExisting } from '../../shared/triggers/eventFields';
import type { Poll, Watch } from '../../shared/triggers/poll';
import { endsPoll, isTimeUp } from '../../shared/triggers/poll';
import type { PollResult } from '../../shared/triggers/pollState';
import { storeService } from '../service';
import type { Checked } from '../purchase';
import { checkCode } from '../purchase';
import { withCodes } from '../purchaseCode';
import { itemRecord, readItems } from '../records';
import type { CodeEvent } from './codeEvents';
import { newPurchase, supportEnding } from './codeEvents';
import { triggerFields } from './fields';
import type { Watched } from './knownCodes';
import { KnownCodes, KEY_LENGTH } from './knownCodes';
import { purchaseCodes } from './purchaseCodes';

const DEFAULT_CHECKS = 25;
const DEFAULT_DAYS = 14;

/** The events, by the name that the parameter has for them. */
const POLLS: Readonly<Record<string, (poll: Poll) => Promise<PollResult>>> = {
	newItem: async (poll) => await newItems(poll),
	newPurchase: async (poll) => await checkCodes(poll, newPurchase),
	supportEnding: async (poll) => await checkCodes(poll, supportEnding, daysBefore(poll)),
};

/** Items and purchases of the store. */
export const watchStore: Watch = {
	service: storeService,
	fields: triggerFields,
	/** Another expression for the codes means other codes; a list that was edited by hand is still the same. */
	source(read, { purchaseCodes: field }) {
		const event = String(read('event'));
		const isExpression = typeof field === 'string' && field.startsWith('=');
		return event === 'newItem' || !isExpression ? event : `${event} ${field}`;
	},
	async poll(poll) {
		const event = poll.read('event');
		const work = typeof event === 'string' ? POLLS[event] : undefined;
		if (!work) throw inputFailure(`There is no event ${quoted(event)}`, 'Pick one from the list');
		return await work(poll);
	},
};

/** The API lists all items at once, so one request shows every new one. */
async function newItems(poll: Poll): Promise<PollResult> {
	const all = requireIds(await readItems(poll.send));
	const items = all.map((record) => ({ id: idIn(record.id) ?? 0, record }));
	const isFirst = poll.state === undefined && !emitsExisting(poll.read);
	const cursor = integerIn(poll.state?.id) ?? 0;
	const fresh = items.filter(({ id }) => id > cursor).toSorted((a, b) => a.id - b.id);
	const state = { id: fresh.at(-1)?.id ?? cursor };
	const records = fresh.map(({ record }) => itemRecord(record));
	return { records: isFirst && !poll.isTest ? [] : records, state };
}

interface CheckedCode extends Checked {
	watched: Watched;
}

/** A code that the store called neither valid nor invalid. */
interface FailedCode {
	watched: Watched;
	failure: Failure;
}

/** The keys of codes that failed: they are checked last, so that they keep no other code waiting. */
const failedKeys = new WeakMap<RateLimiter, Set<string>>();

/** Checks as many codes as one poll may, and returns the purchases that are news. */
async function checkCodes(poll: Poll, event: CodeEvent, daysBefore = 0): Promise<PollResult> {
	const codes = purchaseCodes(poll.read('purchaseCodes'));
	if (codes.length === 0 && (poll.isTest || !poll.state)) {
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	}
	const watched = await Promise.all(
		codes.map(async (code) => ({ code, key: await digest(code, KEY_LENGTH) })),
	);
	const knownCodes = KnownCodes.read(poll.state) ?? (await begin(watched, poll));
	const failedBefore = failedKeys.get(poll.connection.limiter) ?? new Set();
	failedKeys.set(poll.connection.limiter, failedBefore);
	const next = knownCodes
		.next(watched, codes.length, (known) => event.isDone(known))
		.toSorted((a, b) => Number(failedBefore.has(a.key)) - Number(failedBefore.has(b.key)))
		.slice(0, checksPerPoll(poll));
	const { checked, failed } = await check(next, poll);
	for (const { watched: code } of checked) failedBefore.delete(code.key);
	for (const { watched: code } of failed) failedBefore.add(code.key);
	const shown = poll.isTest ? shownOf(checked, event) : [];
	const [first] = failed;
	if (first && (poll.isTest ? shown : checked).length === 0) {
		throw withCodes(first.failure, ...failed.map(({ watched: { code } }) => code));
	}
	for (const { watched: code, failure } of failed) poll.warn(withCodes(failure, code.code));
	if (poll.isTest) return { records: shown, state: undefined };

	const records = checked.flatMap(({ watched: code, purchase, at }) => {
		const known = knownCodes.known(code);
		const finding = event.finding({ purchase, known, since: knownCodes.since, at, daysBefore });
		knownCodes.note(code, finding.known);
		return purchase && finding.isNew ? [purchase] : [];
	});
	knownCodes.trim(watched);
	return { records, state: knownCodes.state() };
}

/** Asks the store for its time, because purchase dates are compared with the time of the activation. */
async function begin(watched: Watched[], poll: Poll): Promise<KnownCodes> {
	const response = await poll.send({ method: 'GET', path: storeService.testPath });
	return KnownCodes.begin(emitsExisting(poll.read) ? [] : watched, response.answeredAt);
}

/**
 * Checks the codes while the poll has time. A code that fails stops no other.
 * @throws Failure if the key is refused; then all codes stay as they were
 */
async function check(
	codes: Watched[],
	poll: Poll,
): Promise<{ checked: CheckedCode[]; failed: FailedCode[] }> {
	const checked: CheckedCode[] = [];
	const failed: FailedCode[] = [];
	for (const watched of codes) {
		try {
			const found = await checkCode(watched.code, poll.send, poll.connection);
			checked.push({ ...found, watched });
		} catch (error) {
			const failure = failureOf(error);
			if (isTimeUp(failure)) break;
			if (endsPoll(failure)) throw failure;
			failed.push({ watched, failure });
		}
	}
	return { checked, failed };
}

/** One purchase, for a user who tries the trigger. */
function shownOf(checked: CheckedCode[], event: CodeEvent): IDataObject[] {
	const ranked = checked.flatMap(({ purchase, at }) =>
		purchase ? [{ purchase, rank: event.rank(purchase, at) }] : [],
	);
	const [best] = ranked.toSorted((a, b) => b.rank - a.rank);
	return best ? [best.purchase] : [];
}

function checksPerPoll({ read }: Poll): number {
	const { checksPerPoll: entered } = mapIn(read('options'));
	return isBlank(entered) ? DEFAULT_CHECKS : Math.max(1, count('Checks per Poll', entered));
}

function daysBefore({ read }: Poll): number {
	const entered = read('daysBefore');
	return isBlank(entered) ? DEFAULT_DAYS : count('Days Before', entered);
}
