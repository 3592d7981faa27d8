/** What the store trigger watches. The API has no events (document: "Events"): items are listed, codes are checked. */
export const EVENTS = {
	newItem: {
		name: 'New Item',
		action: 'On new item',
		description: 'An item was added to the account',
	},
	newPurchase: {
		name: 'Purchase Code Became Valid',
		action: 'On purchase code became valid',
		description: 'One of the codes that you enter is valid for the first time',
	},
	supportEnding: {
		name: 'Support Ending',
		action: 'On support ending',
		description: 'The support of a purchase ends soon',
	},
} as const;

/** The events of purchases: the API cannot list them, so their codes have to be given. */
export const CODE_EVENTS: Array<keyof typeof EVENTS> = ['newPurchase', 'supportEnding'];
