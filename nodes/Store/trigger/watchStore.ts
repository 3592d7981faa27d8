// Which poll finds which event.

import { inputFailure, quoted } from '../../shared/values/failure';
import { count, isBlank } from '../../shared/values/input';
import type { Poll, PollResult, Watch } from '../../shared/triggers/poll';
import { storeService } from '../service';
import { changedBalance } from './balance';
import { checkCodes } from './checkCodes';
import { becameInvalid, newPurchase, supportEnding } from './codeEvents';
import type { EVENTS } from './events';
import { triggerFields } from './fields';
import { newItems, updatedItems } from './items';

const DEFAULT_DAYS = 14;

const POLLS: Readonly<Record<keyof typeof EVENTS, (poll: Poll) => Promise<PollResult>>> = {
	balanceChanged: changedBalance,
	itemUpdated: updatedItems,
	newItem: newItems,
	newPurchase: async (poll) => await checkCodes(poll, newPurchase),
	purchaseInvalid: async (poll) => await checkCodes(poll, becameInvalid),
	supportEnding: async (poll) => await checkCodes(poll, supportEnding, daysBefore(poll)),
};

export const watchStore: Watch = {
	service: storeService,
	fields: triggerFields,
	source: (parameter) => eventOf(parameter('event')),
	poll: async (poll) => await POLLS[eventOf(poll.parameter('event'))](poll),
};

const isEvent = (value: unknown): value is keyof typeof EVENTS =>
	typeof value === 'string' && Object.hasOwn(POLLS, value);

function eventOf(value: unknown): keyof typeof EVENTS {
	if (isEvent(value)) return value;
	throw inputFailure(`There is no event ${quoted(value)}`, 'Pick one from the list');
}

function daysBefore({ parameter }: Poll): number {
	const entered = parameter('daysBefore');
	return isBlank(entered) ? DEFAULT_DAYS : count('Days Before', entered);
}
