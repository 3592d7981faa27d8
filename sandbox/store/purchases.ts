import { flag, text, textOrNull } from '../database.ts';
import { Failure } from '../failure.ts';
import { readText } from '../input.ts';
import { itemOf } from './items.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

const INVALID_WORDS = {
	documented: 'Invalid purchase code',
	translated: 'Código de compra inválido',
	'too-many': 'Too many attempts with an invalid purchase code. Wait 10 minutes',
} as const;

/** A purchase with this license is refused in other words than an unknown code. */
export const REFUNDED = 'Refunded';

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
				if (!row) {
					const words = INVALID_WORDS[dialect.invalidPurchaseWords];
					throw new Failure(Number(dialect.invalidPurchase), words);
				}
				if (text(row, 'license_type') === REFUNDED) {
					throw new Failure(422, 'This purchase was refunded');
				}
				const supportedUntil = textOrNull(row, 'supported_until');
				const purchase = {
					purchase_code: code,
					license_type: text(row, 'license_type'),
					price: row.paid,
					currency: text(row, 'paid_currency'),
					item: itemOf(row, baseUrl()),
					...(supportedUntil === null ? {} : { supported_until: supportedUntil }),
					downloaded: flag(row, 'downloaded'),
					date: text(row, 'bought'),
				};
				if (dialect.purchasePlace === 'data.purchase') return { data: { purchase } };
				return { [dialect.purchasePlace]: purchase };
			},
		},
	];
}
