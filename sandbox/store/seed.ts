import type { DatabaseSync } from 'node:sqlite';
import type { Accounts } from '../accounts.ts';
import { isoTimestamp } from '../clock.ts';
import { transaction } from '../database.ts';
import { DEMO } from '../demo.ts';
import type { Catalogue } from './catalogue.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Makes the demo accounts; a database that has them stays as it is. `now` in epoch milliseconds. */
export function seedStore(
	store: Catalogue,
	accounts: Accounts,
	database: DatabaseSync,
	now: number,
): void {
	if (accounts.idWith(DEMO.store.email) !== undefined) return;
	const inDays = (days: number): string => isoTimestamp(now + days * DAY_MS);
	const codes = DEMO.purchaseCodes;

	transaction(database, () => {
		const profile = { firstname: 'Dana', lastname: 'Merchant', balance: 1280.5 };
		const demo = accounts.register({ ...DEMO.store, profile }, now);
		accounts.register(DEMO.emptyStore, now);
		const other = accounts.register({ email: 'other@store.example' }, now);

		const theme = store.addItem(demo.id, {
			name: 'Aurora Shop Theme',
			version: '2.4.1',
			screenshots: true,
			price: { regular: 59, extended: 899 },
			published_at: inDays(-400),
		});
		const video = store.addItem(demo.id, {
			name: 'Northern Lights Footage',
			category: 'Video',
			sub_category: 'Nature',
			options: ['4K', 'Loop'],
			tags: ['sky', 'night'],
			media: 'video',
			price: { regular: 18, extended: 120 },
			published_at: inDays(-200),
		});
		const audio = store.addItem(demo.id, {
			name: 'Calm Piano Loop',
			category: 'Audio',
			sub_category: 'Loops',
			options: [],
			tags: ['piano', 'calm'],
			version: '1.1.0',
			media: 'audio',
			price: { regular: 9.5, extended: 45 },
			published_at: inDays(-90),
		});
		const script = store.addItem(demo.id, {
			name: 'Invoice Script',
			category: 'Scripts',
			sub_category: 'Billing',
			tags: ['invoice'],
			version: '0.9.12',
			published_at: inDays(-3),
		});
		const foreign = store.addItem(other.id, { name: 'Rival Theme', published_at: inDays(-30) });

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
