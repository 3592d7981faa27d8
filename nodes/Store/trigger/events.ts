/** The events of the store trigger. The API has none (document: "Events"): items are listed, and codes are checked. */
export const EVENTS = {
	balanceChanged: {
		name: 'Balance Changed',
		action: 'On balance changed',
		description: 'Money came in or was paid out. The API shows sales in no other way.',
	},
	newItem: {
		name: 'Item Added',
		action: 'On item added',
		description: 'An item was added to the account',
	},
	itemUpdated: {
		name: 'Item Updated',
		action: 'On item updated',
		description: 'Something of an item changed, such as its version or its price',
	},
	purchaseInvalid: {
		name: 'Purchase Code Became Invalid',
		action: 'On purchase code became invalid',
		description: 'A code that was valid no longer is, for example after a refund',
	},
	newPurchase: {
		name: 'Purchase Code Became Valid',
		action: 'On purchase code became valid',
		description: 'A code that you entered is valid for the first time',
	},
	supportEnding: {
		name: 'Support Ending Soon',
		action: 'On support ending soon',
		description: 'Support of a purchase ends within the days that you set',
	},
} as const;

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
