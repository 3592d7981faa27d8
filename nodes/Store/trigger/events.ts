/** The events of the store trigger. The API has none (document: "Events"): items are listed, and codes are checked. */
export const EVENTS = {
	newItem: {
		name: 'New Item',
		action: 'On new item',
		description: 'An item was added to the account',
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
export const CODE_EVENTS: Array<keyof typeof EVENTS> = ['newPurchase', 'supportEnding'];
