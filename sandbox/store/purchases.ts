import { flag, text, textOrNull } from '../database.ts';
import { Failure } from '../failure.ts';
import { readText } from '../input.ts';
import { itemOf } from './items.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

export function purchaseRoutes({ database, dialect, baseUrl }: StoreContext): StoreRoute[] {
	// A code of another account's item is unknown here. The item's own columns of the same names come first.
	const find = database.prepare(
		`SELECT items.*, license_type, purchases.price AS paid, purchases.currency AS paid_currency,
		supported_until, downloaded, purchases.date AS bought
		FROM purchases JOIN items ON items.id = purchases.item_id
		WHERE purchase_code = ? AND items.account_id = ?`,
	);

	return [
		{
			method: 'POST',
			path: '/api/purchases/validation',
			answer({ accountId, parameters }) {
				const code = readText(parameters, 'purchase_code')?.trim() ?? '';
				const row = find.get(code, accountId);
				if (!row) throw new Failure(Number(dialect.invalidPurchase), 'Invalid purchase code');
				const supportedUntil = textOrNull(row, 'supported_until');
				return {
					data: {
						purchase: {
							purchase_code: code,
							license_type: text(row, 'license_type'),
							price: row.paid,
							currency: text(row, 'paid_currency'),
							item: itemOf(row, baseUrl()),
							...(supportedUntil === null ? {} : { supported_until: supportedUntil }),
							downloaded: flag(row, 'downloaded'),
							date: text(row, 'bought'),
						},
					},
				};
			},
		},
	];
}
