import { Accounts } from '../../sandbox/accounts.ts';
import { openDatabase } from '../../sandbox/database.ts';
import { presetDialect } from '../../sandbox/dialects.ts';
import { linkServiceRoutes } from '../../sandbox/link/server.ts';
import { storeServiceRoutes } from '../../sandbox/store/server.ts';
import { ITEM_TYPES } from '../../sandbox/link/channels.ts';
import { PIXEL_TYPES } from '../../sandbox/link/pixels.ts';
import { QR_TYPES } from '../../sandbox/link/qrCodes.ts';
import * as documented from './manifest.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';

const database = openDatabase(':memory:');
const context = {
	database,
	dialect: presetDialect('documented'),
	baseUrl: () => 'http://127.0.0.1:1',
};
const accounts = new Accounts(database, 'link');
const linkRoutes = linkServiceRoutes(context, accounts);
const storeRoutes = storeServiceRoutes(context, new Accounts(database, 'store'));
afterAll(() => database.close());

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test.each([
	['link', linkRoutes, LINK_ENDPOINTS],
	['store', storeRoutes, STORE_ENDPOINTS],
] as const)(
	'the %s service has the endpoints of its document and no other',
	(_name, routes, all) => {
		expect(routes.map(nameOf).sort()).toEqual(Object.keys(all).sort());
	},
);

test('the arrays of the lists are named as documented, and so are their orders', () => {
	for (const route of linkRoutes) {
		const name = nameOf(route);
		const { list, query } = LINK_ENDPOINTS[name] ?? {};
		expect([name, 'list' in route ? route.list : undefined]).toEqual([name, list]);
		const orders = 'list' in route && route.orders ? ['order'] : [];
		if (query) expect([name, query]).toEqual([name, ['limit', 'page', ...orders]]);
	}
});

test('the allowed values are those of the document', () => {
	expect(PIXEL_TYPES).toEqual(documented.PIXEL_TYPES);
	expect(QR_TYPES).toEqual(documented.QR_TYPES);
	expect(ITEM_TYPES).toEqual(documented.ITEM_TYPES);
});
