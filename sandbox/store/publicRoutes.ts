import type { FastifyInstance } from 'fastify';
import { idOfKey } from '../accounts.ts';
import { type Clock, DAY_MS, isoTimestamp } from '../clock.ts';
import { DEMO } from '../demo.ts';
import type { Tables } from '../records.ts';
import { catalogue } from './catalogue.ts';

/** What people do in the store itself. Whoever tries a trigger opens these addresses in a browser. */
export function addPublicRoutes(app: FastifyInstance, tables: Tables, clock: Clock): void {
	const store = catalogue(tables, clock);
	const accounts = tables.storeAccounts;
	const seller = (): number => idOfKey(accounts, DEMO.store.apiKey);
	app.get('/publish', () => `Published: item ${store.addItem(seller())}`);
	app.get<{ Querystring: { days?: string } }>('/buy', ({ query: { days = '180' } }) => {
		const supported_until = isoTimestamp(clock() + Number(days) * DAY_MS);
		const code = store.addPurchase(DEMO.itemId, { supported_until });
		const { id, balance } = accounts.get(0, seller());
		accounts.change(id, { balance: Number(balance) + 29 });
		return `Bought: purchase code ${code}, with ${days} days of support`;
	});
	app.get<{ Querystring: { code?: string } }>('/refund', ({ query: { code = '' } }) =>
		store.removePurchase(code)
			? `Refunded: purchase code ${code}`
			: 'There is no such purchase code',
	);
}
