// All events of the trigger as data, and which poll finds each. The API has none (document: "Events"): items are listed, and codes
// are checked.

import {
	type Poll,
	type PollResult,
	shownEvent,
	type TriggerDefinition,
} from '../../shared/triggers/poll';
import { inputFailure, quoted } from '../../shared/values/failure';
import { parseCount } from '../../shared/values/input';
import { storeService } from '../service';
import { checkCodes } from './checkCodes';
import { becameInvalid, newPurchase, supportEnding } from './codeEvents';
import { triggerFields } from './triggerFields';
import { changedBalance, newItems, updatedItems } from './items';

export const EVENTS = {
	balanceChanged: shownEvent(
		'Balance Changed',
		'Money came in or was paid out. The API shows sales in no other way.',
	),
	newItem: shownEvent('Item Added', 'An item was added to the account'),
	itemUpdated: shownEvent(
		'Item Updated',
		'The name, version, category or price of an item changed',
	),
	purchaseInvalid: shownEvent(
		'Purchase Code Became Invalid',
		'A code that was valid no longer is, for example after a refund',
	),
	newPurchase: shownEvent(
		'Purchase Code Became Valid',
		'A code that you entered is valid for the first time',
	),
	supportEnded: shownEvent(
		'Support Ended',
		'Support of a purchase has ended, for example to take a role or an account away',
	),
	supportEnding: shownEvent(
		'Support Ending Soon',
		'Support of a purchase ends within the days that you set',
	),
};

type PollEvent = (poll: Poll) => Promise<PollResult>;

const POLLS: Readonly<Record<string, PollEvent>> = {
	balanceChanged: changedBalance,
	itemUpdated: updatedItems,
	newItem: newItems,
	newPurchase: async (poll) => await checkCodes(poll, newPurchase),
	purchaseInvalid: async (poll) => await checkCodes(poll, becameInvalid),
	supportEnded: async (poll) => await checkCodes(poll, supportEnding, 0),
	supportEnding: async (poll) =>
		await checkCodes(poll, supportEnding, parseCount('Days Before', poll.parameters.daysBefore)),
} satisfies Record<keyof typeof EVENTS, PollEvent>;

export const trigger: TriggerDefinition = {
	service: storeService,
	fields: triggerFields,
	watchKey: (parameters) => String(parameters.event),
	async poll(poll) {
		const name = String(poll.parameters.event);
		const pollEvent = POLLS[name];
		if (pollEvent) return await pollEvent(poll);
		throw inputFailure(`There is no event ${quoted(name)}`);
	},
};
