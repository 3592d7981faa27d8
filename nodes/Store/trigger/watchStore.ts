import type { IDataObject } from 'n8n-workflow';

import { digest } from '../../shared/values/digest';
import { type Failure, toFailure, inputFailure, quoted } from '../../shared/values/failure';
import { idIn, integerIn, mapIn, requireIds } from '../../shared/values/json';
import { count, isBlank } from '../../shared/values/input';
import { emitsExisting } from '../../shared/triggers/fields';
import { endsPoll, isOutOfTime, type Poll, type Watch } from '../../shared/triggers/runPoll';
import type { PollResult } from '../../shared/triggers/pollState';
import { storeService } from '../service';
import { proveKey } from '../proveKey';
import { checkCode, type Checked } from '../purchase';
import { withCodes } from '../purchaseCode';
import { itemRecord, readItems } from '../records';
import { type CodeEvent, newPurchase, supportEnding } from './codeEvents';
import { triggerFields } from './fields';
import { CodeStates, KEY_LENGTH, OPEN, type Watched } from './codeStates';
import { purchaseCodes } from './purchaseCodes';

const DEFAULT_CHECKS = 25;
const DEFAULT_DAYS = 14;

/** The events, by the name that the parameter has for them. */
const POLLS: Readonly<Record<string, (poll: Poll) => Promise<PollResult>>> = {
	newItem: async (poll) => await newItems(poll),
	newPurchase: async (poll) => await checkCodes(poll, newPurchase),
	supportEnding: async (poll) => await checkCodes(poll, supportEnding, daysBefore(poll)),
};

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

/** Checks as many codes as one poll may, and returns the purchases that are news. */
async function checkCodes(poll: Poll, event: CodeEvent, daysBefore = 0): Promise<PollResult> {
	const codes = purchaseCodes(poll.read('purchaseCodes'));
	if (codes.length === 0 && (poll.isTest || !poll.state)) {
		throw inputFailure('There are no purchase codes to watch', 'Enter them under Purchase Codes');
	}
	const watched = await Promise.all(
		codes.map(async (code) => ({ code, key: await digest(code, KEY_LENGTH) })),
	);
	const states = CodeStates.read(poll.state) ?? (await begin(watched, poll));
	const open = states.next(watched, event.isDone);
	const next = open.slice(0, checksPerPoll(poll));
	const { checked, failed } = await check(next, poll);
	const samples = sample([...checked.values()], event);
	const failures = [...failed.values()];
	const [failure] = failures;
	const isFruitless = (poll.isTest ? samples.length : checked.size) === 0;
	// If other codes wait for their turn, failures that may be about these codes do not end the poll, which would give it to none.
	const isLast = poll.isTest || open.length === next.length || failures.every(isAboutStore);
	if (failure && isFruitless && isLast) {
		throw withCodes(failure, ...[...failed.keys()].map(({ code }) => code));
	}
	for (const [{ code }, reason] of failed) poll.warn(withCodes(reason, code));
	if (poll.isTest) return { records: samples, state: undefined };

	const records = [...checked].flatMap(([code, { purchase, at }]) => {
		const before = states.get(code);
		const { since } = states;
		const { state, isNew } = event.finding({ purchase, before, since, at, daysBefore });
		states.set(code, state);
		return purchase && isNew ? [purchase] : [];
	});
	for (const code of failed.keys()) states.set(code, states.get(code) ?? OPEN);
	states.trim(watched);
	return { records, state: states.stored() };
}

/** Asks the store for its time, because purchase dates are compared with the time of the activation. */
async function begin(watched: Watched[], poll: Poll): Promise<CodeStates> {
	const response = await poll.send({ method: 'GET', path: storeService.testPath });
	return CodeStates.begin(emitsExisting(poll.read) ? [] : watched, response.answeredAt);
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

/** One purchase, for a user who tries the trigger. */
function sample(checked: Checked[], event: CodeEvent): IDataObject[] {
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
