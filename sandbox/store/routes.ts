import { usernameOf } from '../accounts.ts';
import { isoTimestamp } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import type { Fields } from '../fields.ts';
import type { Tables } from '../records.ts';

/** The four endpoints of the store document. */

/** One authenticated request. Parameters may come in the query or the body. */
export interface Call {
	accountId: number;
	parameters: Fields;
}

export interface StoreRoute {
	/** What the document says of a failure of this endpoint. */
	failure: readonly [status: number, message: string];
	/** Returns the members beside `status`; undefined: the failure. */
	answer: (call: Call) => Fields | undefined;
}

/** Pictures and clips that nobody serves. */
export const MEDIA = 'https://media.example';

/** By method and path, as the document prints them. */
export const storeRoutes = (tables: Tables, dialect: Dialect): Record<string, StoreRoute> => ({
	'GET /api/account/details': {
		failure: [401, 'Invalid request'],
		answer: ({ accountId }) => ({ data: detailsOf(tables.storeAccounts.get(0, accountId)) }),
	},
	'GET /api/items/all': {
		failure: [404, 'No items found'],
		answer({ accountId }) {
			const limit = tables.items.count(accountId);
			if (limit === 0 && dialect.noItems === 'error') return undefined;
			const range = { order: ['id'], descending: true, limit, offset: 0 };
			return { items: tables.items.page(accountId, range) };
		},
	},
	'GET /api/items/item': {
		failure: [404, 'Item Not Found'],
		answer({ accountId, parameters }) {
			const item = ownItem(tables, accountId, parameters.item_id);
			return item && { item };
		},
	},
	'POST /api/purchases/validation': {
		failure: [404, 'Invalid purchase code'],
		answer({ accountId, parameters }) {
			const code = String(parameters.purchase_code).trim();
			const sold = tables.purchases.first("record ->> 'purchase_code' = ?", code);
			const { id: _id, item_id, ...found } = sold ?? {};
			// A code of another account's item is unknown here.
			const item = ownItem(tables, accountId, item_id);
			if (!item) return undefined;
			const purchase = { ...found, item };
			if (dialect.purchasePlace === 'data.purchase') return { data: { purchase } };
			return { [dialect.purchasePlace]: purchase };
		},
	},
});

const ownItem = ({ items }: Tables, accountId: number, id: unknown): Fields | undefined =>
	items.first('account_id = ? AND id = ?', accountId, Number(id));

/** "Account (`data` of account details)" */
function detailsOf(account: Fields): Fields {
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
		registered_at: isoTimestamp(Number(account.registered)),
	};
}
