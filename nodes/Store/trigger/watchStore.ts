import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import { failureIn, inputFailure } from '../../shared/values/failure';
import { idIn, integerIn, mapIn } from '../../shared/values/json';
import { quoted } from '../../shared/values/path';
import type { Poll, PollResult, Watch } from '../../shared/triggers/poll';
import { tooLittleTime } from '../../shared/triggers/poll';
import { isInvalidCode, purchaseRecord } from '../resources/purchase/validate';
import { storeService } from '../service';
import { isEmptyList, itemRecord, requireItems } from '../records';
import type { CodeEvent, Purchase } from './codeEvents';
import { newPurchase, supportEnding } from './codeEvents';
import type { Watched } from './knownCodes';
import { KnownCodes, KEY_LENGTH } from './knownCodes';
import { purchaseCodes } from './purchaseCodes';

const DEFAULT_CHECKS = 25;
const DEFAULT_DAYS = 14;

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

/** Checks as many codes as one poll may, and returns the purchases that are news. */
async function checkCodes(poll: Poll, event: CodeEvent): Promise<PollResult> {
	const codes = purchaseCodes(poll.read('purchaseCodes'));
	if (codes.length === 0 && (poll.isTest || !poll.state)) {
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	}
	const watched = await Promise.all(
		codes.map(async (code) => ({ code, key: await digest(code, KEY_LENGTH) })),
	);
	const ledger = KnownCodes.read(poll.state) ?? (await begin(watched, poll));
	const next = ledger.next(watched, checksPerPoll(poll), (known) => event.isDone(known));
	const checked = await check(next, poll);
	if (poll.isTest) return { records: shownOf(checked, event), state: undefined };

	const records = checked.flatMap(({ watched: code, purchase, at }) => {
		const known = ledger.known(code);
		const daysBefore = daysOf(poll);
		const finding = event.finding({ purchase, known, since: ledger.since, at, daysBefore });
		ledger.note(code, finding.known);
		return purchase && finding.isNews ? [purchase] : [];
	});
	ledger.trim(watched);
	return { records, state: ledger.state() };
}

/** Asks the store for its time, because purchase dates are compared with the time of the activation. */
async function begin(watched: Watched[], poll: Poll): Promise<KnownCodes> {
	const response = await poll.send({ method: 'GET', path: storeService.testPath });
	if (!response) throw tooLittleTime();
	return KnownCodes.begin(emitsExisting(poll) ? [] : watched, response.answeredAt);
}

/** Checks the codes while the poll has time. @throws Failure if a check fails; then all codes stay as they were */
async function check(codes: Watched[], poll: Poll): Promise<CheckedCode[]> {
	const checked: CheckedCode[] = [];
	for (const watched of codes) {
		const body = { purchase_code: watched.code };
		const response = await poll
			.send({ method: 'POST', path: '/api/purchases/validation', body })
			.catch((error: unknown): 'invalid' => {
				const failure = failureIn(error);
				if (failure && isInvalidCode(failure)) return 'invalid';
				throw error;
			});
		if (response === undefined) break;
		if (response === 'invalid') checked.push({ watched, purchase: undefined, at: 0 });
		else {
			const { body: valid, answeredAt: at } = response;
			checked.push({ watched, purchase: purchaseRecord(valid, at), at });
		}
	}
	return checked;
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
