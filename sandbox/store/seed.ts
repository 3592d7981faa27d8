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
		const demo = accounts.register(DEMO.store, now);
		accounts.register(DEMO.emptyStore, now);
		const other = accounts.register({ email: 'other@store.example' }, now);

		const theme = store.addItem(demo.id, {
			name: 'Aurora Shop Theme',
			version: '2.4.1',
			screenshots: true,
			published_at: inDays(-400),
		});
		store.addItem(demo.id, { name: 'Northern Lights Theme', published_at: inDays(-200) });
		const audio = store.addItem(demo.id, {
			name: 'Calm Piano Loop',
			category: 'Audio',
			published_at: inDays(-90),
		});
		const foreign = store.addItem(other.id, { name: 'Rival Theme' });

		store.addPurchase(theme, {
			code: codes.valid,
			supportedUntil: inDays(180),
			downloaded: true,
			date: inDays(-2),
		});
		store.addPurchase(theme, {
			code: codes.supportEnded,
			license: 'Extended License',
			supportedUntil: inDays(-30),
			downloaded: true,
			date: inDays(-190),
		});
		store.addPurchase(audio, { code: codes.withoutSupport, date: inDays(-1) });
		store.addPurchase(foreign, { code: codes.otherAccount, date: inDays(-5) });
	});
}
