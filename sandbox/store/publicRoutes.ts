import type { FastifyInstance } from 'fastify';
import { idOfKey } from '../accounts.ts';
import type { Clock } from '../clock.ts';
import { DEMO } from '../demo.ts';
import type { Tables } from '../records.ts';
import { catalogue } from './catalogue.ts';

/** What people do in the store itself. Whoever tries a trigger opens these addresses in a browser. */
export function addPublicRoutes(app: FastifyInstance, tables: Tables, clock: Clock): void {
	const store = catalogue(tables, clock);
	app.get('/publish', () => {
		const id = store.addItem(idOfKey(tables.storeAccounts, DEMO.store.apiKey));
		return `Published: item ${id}`;
	});
	app.get('/buy', () => `Bought: purchase code ${store.addPurchase(DEMO.itemId)}`);
	app.get<{ Querystring: { code?: string } }>('/refund', ({ query: { code = '' } }) =>
		store.removePurchase(code)
			? `Refunded: purchase code ${code}`
			: 'There is no such purchase code',
	);
}
