import { Accounts } from '../../sandbox/accounts.ts';
import { openDatabase } from '../../sandbox/database.ts';
import { presetDialect } from '../../sandbox/dialects.ts';
import { Failure } from '../../sandbox/failure.ts';
import { seedLinkService } from '../../sandbox/link/seed.ts';
import type { ActionRoute } from '../../sandbox/link/routes.ts';
import { linkServiceRoutes } from '../../sandbox/link/server.ts';
import { storeServiceRoutes } from '../../sandbox/store/server.ts';
import { ITEM_TYPES } from '../../sandbox/link/channels.ts';
import { PIXEL_TYPES } from '../../sandbox/link/pixels.ts';
import { QR_TYPES } from '../../sandbox/link/qrCodes.ts';
import { firstRecords } from './clients.ts';
import * as documented from './manifest.ts';
import type { Presence } from './manifest.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';

const database = openDatabase(':memory:');
const context = {
	database,
	dialect: presetDialect('documented'),
	baseUrl: () => 'http://127.0.0.1:1',
};
const accounts = new Accounts(database, 'link');
seedLinkService(context, accounts, Date.now());
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

/** A value that every field of that name accepts, so that reading goes on to the next field. */
const VALID: Record<string, unknown> = {
	...{ email: 'someone@example.com', domain: 'https://go.example.com', color: '#123456' },
	...{ type: 'direct', url: 'https://example.com', metaimage: 'https://example.com/a.png' },
	...{ redirectroot: 'https://example.com', redirect404: 'https://example.com' },
	...{ background: 'rgb(1,2,3)', foreground: 'rgb(1,2,3)', logo: 'logo.png' },
	...{ data: 'https://example.com/menu', expiry: '2099-01-01 00:00:00' },
	...{ geotarget: [], devicetarget: [], languagetarget: [], parameters: [] },
	...{ public: true, starred: true },
};
const VALID_AT: Record<string, object> = {
	'/api/pixel/add': { type: 'forum' },
	'/api/qr/add': { type: 'text' },
	'/api/domain/add': { domain: 'https://covered.example.com' },
};

/** Runs an endpoint on a body that notes which of its fields are asked for. */
function fieldsRead(
	{ path, answer }: Pick<ActionRoute, 'path' | 'answer'>,
	body: Record<string, unknown>,
): string[] {
	const asked = new Set<string>();
	const watched = new Proxy(body, {
		getOwnPropertyDescriptor(target, name) {
			asked.add(String(name));
			return Reflect.getOwnPropertyDescriptor(target, name);
		},
	});
	try {
		answer({ accountId: 1, params: firstRecords(path), body: watched, now: Date.now() });
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
	}
	return [...asked].sort();
}

describe('Request bodies', () => {
	// What one endpoint does to the demo account is not there for the next.
	beforeEach(() => database.exec('BEGIN'));
	afterEach(() => database.exec('ROLLBACK'));

	const routes = linkRoutes.flatMap((route) => ('answer' in route ? [route] : []));

	test.each(routes.map((route) => [nameOf(route), route] as const))(
		'%s reads the documented fields and no other, and insists on what is required',
		(name, { path, answer }) => {
			const fields = Object.entries(LINK_ENDPOINTS[name]?.body ?? {});
			const bodyOf = (isSent: (presence: Presence) => boolean) => ({
				...Object.fromEntries(
					fields.flatMap(([field, presence]) =>
						isSent(presence) ? [[field, VALID[field] ?? `some-${field}`]] : [],
					),
				),
				...VALID_AT[path],
			});
			const accepted = bodyOf((presence) => presence !== 'refused');
			expect(fieldsRead({ path, answer }, accepted)).toEqual(fields.map(([field]) => field).sort());

			const complete: Record<string, unknown> = bodyOf((presence) => presence === 'required');
			for (const [field, presence] of fields) {
				if (presence === 'optional') continue;
				const { [field]: _left, ...without } = complete;
				const body = presence === 'required' ? without : { ...complete, [field]: 'x' };
				const run = () =>
					answer({ accountId: 1, params: firstRecords(path), body, now: Date.now() });
				expect(run).toThrow(new RegExp(`${field} (is required|cannot be changed)`));
			}
		},
	);
});
