import type { DatabaseSync } from 'node:sqlite';
import { isoTimestamp } from '../clock.ts';
import { transaction } from '../database.ts';
import { DEMO } from '../demo.ts';
import type { Catalogue } from './catalogue.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Makes the demo accounts; a database that has them stays as it is. `now` in epoch milliseconds. */
export function seedStore(store: Catalogue, database: DatabaseSync, now: number): void {
	const seeded = database.prepare('SELECT id FROM store_accounts WHERE email = ?');
	if (seeded.get(DEMO.store.email)) return;
	const inDays = (days: number): string => isoTimestamp(now + days * DAY_MS);
	const codes = DEMO.purchaseCodes;

	transaction(database, () => {
		const demo = store.register({
			...DEMO.store,
			firstname: 'Dana',
			lastname: 'Merchant',
			balance: 1280.5,
		});
		store.register({ ...DEMO.emptyStore, firstname: 'Emil', lastname: 'Newcomer' });
		const other = store.register({
			email: 'other@store.example',
			firstname: 'Olga',
			lastname: 'Rival',
			balance: 12,
		});

		const theme = store.addItem(demo.id, {
			name: 'Aurora Shop Theme',
			version: '2.4.1',
			screenshots: true,
			regularPrice: 59,
			extendedPrice: 899,
			publishedAt: inDays(-400),
		});
		const video = store.addItem(demo.id, {
			name: 'Northern Lights Footage',
			category: 'Video',
			subCategory: 'Nature',
			options: ['4K', 'Loop'],
			tags: ['sky', 'night'],
			version: '1.0.0',
			media: 'video',
			regularPrice: 18,
			extendedPrice: 120,
			publishedAt: inDays(-200),
		});
		const audio = store.addItem(demo.id, {
			name: 'Calm Piano Loop',
			category: 'Audio',
			subCategory: 'Loops',
			options: [],
			tags: ['piano', 'calm'],
			version: '1.1.0',
			media: 'audio',
			regularPrice: 9.5,
			extendedPrice: 45,
			publishedAt: inDays(-90),
		});
		const script = store.addItem(demo.id, {
			name: 'Invoice Script',
			category: 'Scripts',
			subCategory: 'Billing',
			tags: ['invoice'],
			version: '0.9.12',
			publishedAt: inDays(-3),
		});
		const foreign = store.addItem(other.id, { name: 'Rival Theme', publishedAt: inDays(-30) });

		store.addPurchase(theme, {
			code: codes.valid,
			price: 59,
			supportedUntil: inDays(180),
			downloaded: true,
			date: inDays(-2),
		});
		store.addPurchase(script, {
			code: codes.supportEnding,
			supportedUntil: inDays(10),
			downloaded: true,
			date: inDays(-170),
		});
		store.addPurchase(video, {
			code: codes.supportEnded,
			license: 'Extended License',
			price: 120,
			supportedUntil: inDays(-30),
			downloaded: true,
			date: inDays(-190),
		});
		store.addPurchase(audio, {
			code: codes.withoutSupport,
			price: 9.5,
			downloaded: false,
			date: inDays(-1),
		});
		store.addPurchase(foreign, { code: codes.otherAccount, date: inDays(-5) });
	});
}
