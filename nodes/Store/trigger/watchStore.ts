import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import type { RateLimiter } from '../../shared/http/rateLimiter';
import type { Failure } from '../../shared/values/failure';
import { failureIn, failureOf, inputFailure } from '../../shared/values/failure';
import { idIn, integerIn, mapIn } from '../../shared/values/json';
import { quoted } from '../../shared/values/path';
import type { Poll, PollResult, Watch } from '../../shared/triggers/poll';
import { tooLittleTime } from '../../shared/triggers/poll';
import { storeService } from '../service';
import { purchaseRecord } from '../purchase';
import { isAboutCode, isInvalidCode, withCode } from '../purchaseCode';
import { isEmptyList, itemRecord, requireItems } from '../records';
import type { CodeEvent, Purchase } from './codeEvents';
import { newPurchase, supportEnding } from './codeEvents';
import type { Watched } from './knownCodes';
import { KnownCodes, KEY_LENGTH } from './knownCodes';
import { purchaseCodes } from './purchaseCodes';

const DEFAULT_CHECKS = 25;
const DEFAULT_DAYS = 14;

/** The most codes that an error lists. */
const MOST_NAMED = 9;

/** The events, by the name that the parameter has for them. */
const POLLS: Readonly<Record<string, (poll: Poll) => Promise<PollResult>>> = {
	newItem: async (poll) => await newItems(poll),
	newPurchase: async (poll) => await checkCodes(poll, newPurchase),
	supportEnding: async (poll) => await checkCodes(poll, supportEnding),
};

/** Items and purchases of the store. */
export const watchStore: Watch = {
	service: storeService,
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
	const items = await itemsOf(poll);
	if (!items) {
		if (!poll.state) throw tooLittleTime();
		return { records: [], state: poll.state };
	}
	const isFirst = poll.state === undefined && !emitsExisting(poll);
	const cursor = integerIn(poll.state?.id) ?? 0;
	const fresh = items.filter(({ id }) => id > cursor).toSorted((a, b) => a.id - b.id);
	const state = { id: fresh.at(-1)?.id ?? cursor };
	const records = fresh.map(({ record }) => itemRecord(record));
	return { records: isFirst && !poll.isTest ? [] : records, state };
}

async function itemsOf(
	poll: Poll,
): Promise<Array<{ id: number; record: IDataObject }> | undefined> {
	const response = await poll
		.send({ method: 'GET', path: '/api/items/all' })
		.catch((error: unknown): 'none' => {
			const failure = failureIn(error);
			if (failure && isEmptyList(failure)) return 'none';
			throw error;
		});
	if (response === 'none') return [];
	return (
		response &&
		requireItems(response.body).flatMap((record) => {
			const id = idIn(record.id);
			return id === undefined ? [] : [{ id, record }];
		})
	);
}

interface CheckedCode {
	watched: Watched;
	purchase: Purchase;
	/** When the store answered, by its clock, in epoch milliseconds; 0 for an invalid code. */
	at: number;
}

/** A code that the store refused in other words than those for an invalid one. */
interface RefusedCode {
	watched: Watched;
	failure: Failure;
}

/** The keys of refused codes: they are checked last, so that they keep no other code waiting. */
const refusedKeys = new WeakMap<RateLimiter, Set<string>>();

/** Checks as many codes as one poll may, and returns the purchases that are news. */
async function checkCodes(poll: Poll, event: CodeEvent): Promise<PollResult> {
	const codes = purchaseCodes(poll.read('purchaseCodes'));
	if (codes.length === 0 && (poll.isTest || !poll.state)) {
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	}
	const watched = await Promise.all(
		codes.map(async (code) => ({ code, key: await digest(code, KEY_LENGTH) })),
	);
	const knownCodes = KnownCodes.read(poll.state) ?? (await begin(watched, poll));
	const refusedBefore = refusedKeys.get(poll.connection.limiter) ?? new Set();
	refusedKeys.set(poll.connection.limiter, refusedBefore);
	const next = knownCodes
		.next(watched, codes.length, (known) => event.isDone(known))
		.toSorted((a, b) => Number(refusedBefore.has(a.key)) - Number(refusedBefore.has(b.key)))
		.slice(0, checksPerPoll(poll));
	const { checked, refused } = await check(next, poll);
	for (const { watched: code } of checked) refusedBefore.delete(code.key);
	for (const { watched: code } of refused) refusedBefore.add(code.key);
	const shown = poll.isTest ? shownOf(checked, event) : [];
	if (poll.isTest ? shown.length === 0 : checked.length === 0) throwAny(refused);
	for (const {
		watched: { code },
		failure,
	} of refused)
		poll.warn(withCode(failure, code));
	if (poll.isTest) return { records: shown, state: undefined };

	const records = checked.flatMap(({ watched: code, purchase, at }) => {
		const known = knownCodes.known(code);
		const daysBefore = daysOf(poll);
		const finding = event.finding({ purchase, known, since: knownCodes.since, at, daysBefore });
		knownCodes.note(code, finding.known);
		return purchase && finding.isNews ? [purchase] : [];
	});
	knownCodes.trim(watched);
	return { records, state: knownCodes.state() };
}

/** Asks the store for its time, because purchase dates are compared with the time of the activation. */
async function begin(watched: Watched[], poll: Poll): Promise<KnownCodes> {
	const response = await poll.send({ method: 'GET', path: storeService.testPath });
	if (!response) throw tooLittleTime();
	return KnownCodes.begin(emitsExisting(poll) ? [] : watched, response.answeredAt);
}

/**
 * Checks the codes while the poll has time.
 * @throws Failure if a check fails for a reason that is not the code; then all codes stay as they were
 */
async function check(
	codes: Watched[],
	poll: Poll,
): Promise<{ checked: CheckedCode[]; refused: RefusedCode[] }> {
	const checked: CheckedCode[] = [];
	const refused: RefusedCode[] = [];
	for (const watched of codes) {
		const body = { purchase_code: watched.code };
		try {
			const response = await poll.send({ method: 'POST', path: '/api/purchases/validation', body });
			if (response === undefined) break;
			const { body: valid, answeredAt: at } = response;
			checked.push({ watched, purchase: purchaseRecord(valid, watched.code, at), at });
		} catch (error) {
			const failure = failureOf(error);
			if (isInvalidCode(failure, poll.connection)) {
				checked.push({ watched, purchase: undefined, at: 0 });
			} else if (isAboutCode(failure)) refused.push({ watched, failure });
			else throw failure;
		}
	}
	return { checked, refused };
}

/** @throws Failure with the first reason, and the codes */
function throwAny(refused: RefusedCode[]): void {
	const [first, ...others] = refused;
	if (!first) return;
	const failure = withCode(first.failure, first.watched.code);
	if (others.length === 0) throw failure;
	const codes = others.slice(0, MOST_NAMED).map(({ watched }) => watched.code);
	const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : '';
	throw failure.with({
		message: `${failure.message}. The store refused these codes, too: ${codes.join(', ')}${more}`,
	});
}

/** One purchase, for a user who tries the trigger. */
function shownOf(checked: CheckedCode[], event: CodeEvent): IDataObject[] {
	const ranked = checked.flatMap(({ purchase, at }) =>
		purchase ? [{ purchase, rank: event.rank(purchase, at) }] : [],
	);
	const [best] = ranked.toSorted((a, b) => b.rank - a.rank);
	return best ? [best.purchase] : [];
}

function emitsExisting({ read }: Poll): boolean {
	return mapIn(read('options')).emitExisting === true;
}

function checksPerPoll({ read }: Poll): number {
	return Math.max(1, integerIn(mapIn(read('options')).checksPerPoll) ?? DEFAULT_CHECKS);
}

function daysOf({ read }: Poll): number {
	return Math.max(0, integerIn(read('daysBefore')) ?? DEFAULT_DAYS);
}
