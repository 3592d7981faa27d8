import { integer, recordIn, type Row } from '../database.ts';
import { Failure } from '../failure.ts';
import { type Fields, readText } from '../input.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

export function itemRoutes({ database, dialect }: StoreContext): StoreRoute[] {
	const all = database.prepare('SELECT * FROM items WHERE account_id = ? ORDER BY id DESC');
	const find = database.prepare('SELECT * FROM items WHERE account_id = ? AND id = ?');

	const noItems = (): Failure => new Failure(404, 'No items found');
	const noItem = (): Failure => new Failure(404, 'Item Not Found');

	return [
		{
			method: 'GET',
			path: '/api/items/all',
			failure: noItems,
			answer({ accountId }) {
				const items = all.all(accountId).map(itemOf);
				if (items.length === 0 && dialect.noItems === 'error') throw noItems();
				return { items };
			},
		},
		{
			method: 'GET',
			path: '/api/items/item',
			failure: noItem,
			answer({ accountId, parameters }) {
				const id = readText(parameters, 'item_id') ?? '';
				const row = /^\d{1,15}$/.test(id) ? find.get(accountId, Number(id)) : undefined;
				if (!row) throw noItem();
				return { item: itemOf(row) };
			},
		},
	];
}

const itemOf = (row: Row): Fields => ({ id: integer(row, 'id'), ...recordIn(row, 'record') });
