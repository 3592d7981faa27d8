import { integer, recordIn, text } from '../database.ts';
import { Failure } from '../failure.ts';
import { readText } from '../input.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

const PLAIN = Array.from('0123456789abcdefghijklmnopqrstuvwxyz');
const collator = new Intl.Collator('en', { sensitivity: 'base' });

/** Letters with a stroke that some versions of the Unicode Collation Algorithm keep apart, and others do not. */
const STROKED: Readonly<Record<string, string>> = { ŧ: 't', ƀ: 'b', ɨ: 'i', ƶ: 'z', ǥ: 'g' };

/** As databases compare texts by the Unicode Collation Algorithm: without case, accents, strokes, and scripts of digits. */
const folded = (code: string): string =>
	Array.from(
		code.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
		(letter) =>
			PLAIN.find((plain) => collator.compare(plain, letter) === 0) ?? STROKED[letter] ?? letter,
	).join('');

/** A purchase with this license is refused in other words than an unknown code. */
export const REFUNDED = 'Refunded';

export function purchaseRoutes({ database, dialect }: StoreContext): StoreRoute[] {
	// A code of another account's item is unknown here.
	const isFolded = dialect.codeSpelling !== 'exact';
	database.function('folded', { deterministic: true }, (code) => folded(String(code)));
	const find = database.prepare(
		`SELECT purchase_code, purchases.record, items.id AS item_id, items.record AS item
		FROM purchases JOIN items ON items.id = purchases.item_id
		WHERE ${isFolded ? 'folded(purchase_code)' : 'purchase_code'} = ? AND items.account_id = ?`,
	);

	const invalid = (): Failure =>
		new Failure(Number(dialect.invalidPurchase), 'Invalid purchase code');

	return [
		{
			method: 'POST',
			path: '/api/purchases/validation',
			failure: invalid,
			answer({ accountId, parameters }) {
				const code = readText(parameters, 'purchase_code')?.trim() ?? '';
				const row = find.get(isFolded ? folded(code) : code, accountId);
				if (!row) throw invalid();
				const record = recordIn(row, 'record');
				if (record.license_type === REFUNDED) {
					throw new Failure(422, 'This purchase was refunded');
				}
				const item = { id: integer(row, 'item_id'), ...recordIn(row, 'item') };
				const spelt = dialect.codeSpelling === 'folded' ? text(row, 'purchase_code') : code;
				const purchase = { purchase_code: spelt, ...record, item };
				if (dialect.purchasePlace === 'data.purchase') return { data: { purchase } };
				return { [dialect.purchasePlace]: purchase };
			},
		},
	];
}
