import type { DatabaseSync } from 'node:sqlite';
import { type Account, type Accounts, usernameOf } from '../accounts.ts';
import { isoTimestamp } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { type Fields, textIn } from '../input.ts';
import { recordOf, Records } from '../records.ts';

/** The four endpoints of the store document. */

export interface StoreContext {
	database: DatabaseSync;
	dialect: Dialect;
}

/** One authenticated request. Parameters may come in the query or the body. */
export interface Call {
	accountId: number;
	parameters: Fields;
}

/** An endpoint as its document prints it. `answer` returns the members beside `status`. */
export interface StoreRoute {
	method: 'GET' | 'POST';
	path: string;
	/** What the document says of a failure of this endpoint. */
	failure: () => Failure;
	answer: (call: Call) => Fields;
}

/** A purchase with this license is refused in other words than an unknown code. */
export const REFUNDED = 'Refunded';

/** Pictures and clips that nobody serves. */
export const MEDIA = 'https://media.example';

export function storeServiceRoutes(context: StoreContext, accounts: Accounts): StoreRoute[] {
	const { database, dialect } = context;
	const items = new Records(database, 'items', 'item');
	const allItems = database.prepare('SELECT * FROM items WHERE account_id = ? ORDER BY id DESC');
	const purchases = new Records(database, 'purchases', 'purchase');

	const noItems = (): Failure => new Failure(404, 'No items found');
	const noItem = (): Failure => new Failure(404, 'Item Not Found');
	const noPurchase = (): Failure =>
		new Failure(Number(dialect.invalidPurchase), 'Invalid purchase code');

	return [
		{
			method: 'GET',
			path: '/api/account/details',
			failure: () => new Failure(401, 'Invalid request'),
			answer: ({ accountId }) => ({ data: detailsOf(accounts.get(accountId)) }),
		},
		{
			method: 'GET',
			path: '/api/items/all',
			failure: noItems,
			answer({ accountId }) {
				const own = allItems.all(accountId).map(recordOf);
				if (own.length === 0 && dialect.noItems === 'error') throw noItems();
				return { items: own };
			},
		},
		{
			method: 'GET',
			path: '/api/items/item',
			failure: noItem,
			answer({ accountId, parameters }) {
				const id = Number(textIn(parameters, 'item_id'));
				const item = items.first('account_id = ? AND id = ?', accountId, id);
				if (!item) throw noItem();
				return { item };
			},
		},
		{
			method: 'POST',
			path: '/api/purchases/validation',
			failure: noPurchase,
			answer({ accountId, parameters }) {
				const code = textIn(parameters, 'purchase_code') ?? '';
				const sold = purchases.first("record ->> 'purchase_code' = ?", code);
				const { id: _id, item_id, ...found } = sold ?? {};
				// A code of another account's item is unknown here.
				const item = items.first('account_id = ? AND id = ?', accountId, Number(item_id ?? 0));
				if (!item) throw noPurchase();
				if (found.license_type === REFUNDED) {
					throw new Failure(422, 'This purchase was refunded');
				}
				const purchase = { ...found, item };
				if (dialect.purchasePlace === 'data.purchase') return { data: { purchase } };
				return { [dialect.purchasePlace]: purchase };
			},
		},
	];
}

/** "Account (`data` of account details)" */
function detailsOf(account: Account): Fields {
	return {
		name: { firstname: 'Robin', lastname: 'Vale', full_name: 'Robin Vale' },
		username: usernameOf(account),
		email: account.email,
		balance: account.balance,
		currency: 'USD',
		profile: {
			heading: 'Small tools, well made',
			description: 'Themes, scripts and sounds for web shops.',
			contact: { email: account.email },
			social_links: { facebook: 'robinvale', website: 'https://robinvale.example' },
			media: { avatar: `${MEDIA}/avatar.svg`, cover: `${MEDIA}/cover.svg` },
		},
		registered_at: isoTimestamp(account.registered),
	};
}
