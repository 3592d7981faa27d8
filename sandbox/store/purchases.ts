import { Failure } from '../failure.ts';
import { type Fields, textIn } from '../input.ts';
import { Records } from '../records.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

/** Letters with a stroke, which have no accent that could be taken off. */
const STROKED: Readonly<Record<string, string>> = {
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ħ: 'h',
	ŧ: 't',
	ƀ: 'b',
};

/** As databases compare texts: without case, accents and strokes. */
const folded = (code: string): string =>
	Array.from(
		code.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
		(letter) => STROKED[letter] ?? letter,
	).join('');

/** A purchase with this license is refused in other words than an unknown code. */
export const REFUNDED = 'Refunded';

export function purchaseRoutes({ database, dialect }: StoreContext): StoreRoute[] {
	const items = new Records(database, 'items', 'item');
	const purchases = new Records(database, 'purchases', 'purchase');
	const isFolded = dialect.codeSpelling !== 'exact';
	database.function('folded', { deterministic: true }, (code) => folded(String(code)));
	const find = (code: string): Fields | undefined =>
		isFolded
			? purchases.first("folded(record ->> 'purchase_code') = ?", folded(code))
			: purchases.first("record ->> 'purchase_code' = ?", code);

	const invalid = (): Failure =>
		new Failure(Number(dialect.invalidPurchase), 'Invalid purchase code');

	return [
		{
			method: 'POST',
			path: '/api/purchases/validation',
			failure: invalid,
			answer({ accountId, parameters }) {
				const code = textIn(parameters, 'purchase_code') ?? '';
				const { id: _id, item_id, ...found } = find(code) ?? {};
				// A code of another account's item is unknown here.
				const item = items.first('account_id = ? AND id = ?', accountId, Number(item_id ?? 0));
				if (!item) throw invalid();
				if (found.license_type === REFUNDED) {
					throw new Failure(422, 'This purchase was refunded');
				}
				const spelt = dialect.codeSpelling === 'folded' ? found.purchase_code : code;
				const purchase = { ...found, purchase_code: spelt, item };
				if (dialect.purchasePlace === 'data.purchase') return { data: { purchase } };
				return { [dialect.purchasePlace]: purchase };
			},
		},
	];
}
