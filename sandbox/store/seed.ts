import { hasAccount, register } from '../accounts.ts';
import { DAY_MS, isoTimestamp } from '../clock.ts';
import { DEMO } from '../demo.ts';
import type { Tables } from '../records.ts';
import { catalogue } from './catalogue.ts';

/** Makes the demo accounts; a database that has them stays as it is. `now` in epoch milliseconds. */
export function seedStore(tables: Tables, now: number): void {
	const accounts = tables.storeAccounts;
	if (hasAccount(accounts, DEMO.store)) return;
	const inDays = (days: number): string => isoTimestamp(now + days * DAY_MS);
	const codes = DEMO.purchaseCodes;
	const store = catalogue(tables, () => now);
	const demo = register(accounts, DEMO.store, now);
	register(accounts, DEMO.emptyStore, now);
	const other = register(accounts, { email: 'other@store.example' }, now);

	const theme = store.addItem(demo.id, {
		name: 'Aurora Shop Theme',
		version: '2.4.1',
		screenshots: true,
		published_at: inDays(-400),
	});
	store.addItem(demo.id, { name: 'Northern Lights Theme', published_at: inDays(-200) });
	const audio = { name: 'Calm Piano Loop', category: 'Audio', published_at: inDays(-90) };
	const foreign = store.addItem(other.id, { name: 'Rival Theme' });

	const supported_until = inDays(180);
	store.addPurchase(theme, { code: codes.valid, supported_until, date: inDays(-2) });
	store.addPurchase(theme, {
		code: codes.supportEnded,
		license_type: 'Extended License',
		supported_until: inDays(-30),
		date: inDays(-190),
	});
	const withoutSupport = { code: codes.withoutSupport, date: inDays(-1) };
	store.addPurchase(store.addItem(demo.id, audio), withoutSupport);
	store.addPurchase(foreign, { code: codes.otherAccount, date: inDays(-5) });
}
