import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { DEMO } from '../demo.ts';
import { type Clock, DAY_MS, type Fields, isoTimestamp } from '../fields.ts';
import { idOfKey, register, type Tables } from '../records.ts';
import { MEDIA } from './routes.ts';

/** What happens at a store outside its API: people publish items and buy them. */
export const catalogue = ({ items, purchases }: Tables, clock: Clock) => ({
	/** Publishes an item of an account, and returns its id. @param changes of "Item", as the document names them */
	addItem(accountId: number, changes: Fields = {}): number {
		const { name = 'Storefront Theme', screenshots, ...members } = changes;
		return items.add(accountId, {
			name,
			description: `${String(name)}, ready to use.`,
			category: 'Themes',
			sub_category: 'Shop',
			options: ['Documentation', 'Responsive'],
			version: '1.0.0',
			demo_link: `https://demo.example/${encodeURIComponent(String(name).toLowerCase())}`,
			tags: ['shop', 'theme'],
			media: {
				thumbnail: `${MEDIA}/thumbnail.svg`,
				preview_image: `${MEDIA}/preview.svg`,
				screenshots: screenshots ? [1, 2, 3].map((at) => `${MEDIA}/${at}.svg`) : undefined,
			},
			price: { regular: 29, extended: 249 },
			currency: 'USD',
			published_at: isoTimestamp(clock()),
			...members,
		});
	},

	/** Sells an item, and returns the purchase code. @param changes of "Purchase", as the document names them */
	addPurchase(itemId: number, changes: Fields = {}): string {
		const { code = randomUUID(), ...members } = changes;
		purchases.add(0, {
			purchase_code: code,
			item_id: itemId,
			license_type: 'Regular License',
			price: 29,
			currency: 'USD',
			downloaded: false,
			date: isoTimestamp(clock()),
			...members,
		});
		return String(code);
	},

	/** Takes a purchase back, as a refund does: then its code is no longer valid. Returns whether there was one. */
	removePurchase(code: string): boolean {
		const sold = purchases.first("record ->> 'purchase_code' = ?", code);
		purchases.remove(sold?.id);
		return sold !== undefined;
	},
});

/** Makes the demo accounts; a database that has them stays as it is. `now` in epoch milliseconds. */
export function seedStore(tables: Tables, now: number): void {
	const accounts = tables.storeAccounts;
	if (accounts.count(0) > 0) return;
	const inDays = (days: number): string => isoTimestamp(now + days * DAY_MS);
	const codes = DEMO.purchaseCodes;
	const store = catalogue(tables, () => now);
	const { id: seller } = register(accounts, DEMO.store, now);
	register(accounts, DEMO.emptyStore, now);
	const { id: other } = register(accounts, { email: 'other@store.example' }, now);

	const aurora = { name: 'Aurora Shop Theme', version: '2.4.1', screenshots: true };
	const theme = store.addItem(seller, { ...aurora, published_at: inDays(-400) });
	store.addItem(seller, { name: 'Northern Lights Theme', published_at: inDays(-200) });
	const audio = { name: 'Calm Piano Loop', category: 'Audio', published_at: inDays(-90) };
	const loop = store.addItem(seller, audio);
	const foreign = store.addItem(other, { name: 'Rival Theme' });

	store.addPurchase(theme, { code: codes.valid, supported_until: inDays(180), date: inDays(-2) });
	const ended = { license_type: 'Extended License', supported_until: inDays(-30) };
	store.addPurchase(theme, { ...ended, code: codes.supportEnded, date: inDays(-190) });
	store.addPurchase(loop, { code: codes.withoutSupport, date: inDays(-1) });
	store.addPurchase(foreign, { code: codes.otherAccount, date: inDays(-5) });
}

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
