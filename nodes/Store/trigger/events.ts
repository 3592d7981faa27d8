// All events of the trigger, as the panel shows them.

import { shownEvent } from '../../shared/triggers/fields';

/** The events of the store trigger. The API has none (document: "Events"): items are listed, and codes are checked. */
export const EVENTS = {
	balanceChanged: shownEvent(
		'Balance Changed',
		'Money came in or was paid out. The API shows sales in no other way.',
	),
	newItem: shownEvent('Item Added', 'An item was added to the account'),
	itemUpdated: shownEvent(
		'Item Updated',
		'Something of an item changed, such as its version or its price',
	),
	purchaseInvalid: shownEvent(
		'Purchase Code Became Invalid',
		'A code that was valid no longer is, for example after a refund',
	),
	newPurchase: shownEvent(
		'Purchase Code Became Valid',
		'A code that you entered is valid for the first time',
	),
	supportEnding: shownEvent(
		'Support Ending Soon',
		'Support of a purchase ends within the days that you set',
	),
};

/** The events of purchases. The API cannot list purchases, so the user enters their codes. */
export const CODE_EVENTS: Array<keyof typeof EVENTS> = [
	'newPurchase',
	'purchaseInvalid',
	'supportEnding',
];

/** The events that existing records can start, too. */
export const EXISTING_EVENTS: Array<keyof typeof EVENTS> = [
	'newItem',
	'newPurchase',
	'supportEnding',
];
