import { Failure } from '../failure.ts';
import { textIn } from '../input.ts';
import { recordOf, Records } from '../records.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

export function itemRoutes({ database, dialect }: StoreContext): StoreRoute[] {
	const all = database.prepare('SELECT * FROM items WHERE account_id = ? ORDER BY id DESC');
	const items = new Records(database, 'items', 'item');

	const noItems = (): Failure => new Failure(404, 'No items found');
	const noItem = (): Failure => new Failure(404, 'Item Not Found');

	return [
		{
			method: 'GET',
			path: '/api/items/all',
			failure: noItems,
			answer({ accountId }) {
				const own = all.all(accountId).map(recordOf);
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
	];
}
