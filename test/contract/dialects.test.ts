import {
	CHOICES,
	CHOICE_NAMES,
	DIALECT_NAMES,
	presetDialect,
	resolveDialect,
} from '../../sandbox/dialects.ts';
import type { ChoiceName } from '../../sandbox/dialects.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { call, callLink, member, sandboxForTests } from './clients.ts';

describe('The table of settings', () => {
	test('gives each preset one of the allowed values', () => {
		for (const preset of DIALECT_NAMES) {
			for (const name of CHOICE_NAMES) {
				expect(CHOICES[name].values).toContain(presetDialect(preset)[name]);
			}
		}
	});

	test('has every setting in a dialect', () => {
		expect(Object.keys(presetDialect('documented'))).toEqual([...CHOICE_NAMES, 'clockSkew']);
	});

	test('takes single settings on top of documented', () => {
		expect(resolveDialect({ nextPage: 'zero' })).toEqual({
			...presetDialect('documented'),
			nextPage: 'zero',
		});
	});
});

const COUNTS = { 'United States': '2', France: '1', Germany: '1' };
const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const NAME = like(/\w/);
const url = 'https://example.com/x';
const UNVISITED = 'GET /api/url/1';
const ADD = 'POST /api/url/add';
const CAMPAIGNS = 'GET /api/campaigns';
const NEXT = 'data.data.nextpage';
const PER_PAGE = 'data.data.perpage';
const COUNTRIES = 'data.data.topCountries';
const LARGEST = 'GET /api/urls?limit=500';

/** What is asked, a member of what comes, and what each value of a setting makes of it. */
const SETTINGS: Array<
	[ChoiceName, request: string, member: string, values: Record<string, unknown>, body?: object]
> = [
	['failureStatus', 'GET /api/url/99999', 'status', { html: 404, http200: 200, http4xx: 404 }],
	['failureStatus', 'GET /api/url/99999', 'data.error', { http200: 1, http4xx: 1 }],
	['failureStatus', 'GET /api/url/99999', 'data', { html: like(/^<!doctype html>/) }],
	['failureStatus', 'GET /api/url/99999', 'headers.content-type', { html: like(/^text\/html/) }],
	['failureStatus', 'GET /api/url/1', 'data.error', { html: 0, http200: 0 }],
	['nextPage', 'GET /api/urls?page=3', NEXT, { same: 3, null: null, 'plus-one': 4, zero: 0 }],
	['maxLimit', 'GET /api/urls', 'data.data.maxpage', { unlimited: 3 }],
	['maxLimit', LARGEST, PER_PAGE, { unlimited: 500, '25': 25, '100': 100, ignored: 15 }],
	['maxLimit', LARGEST, 'data.data.urls.14.id', { unlimited: 26, '25': 26, ignored: 26 }],
	['maxLimit', LARGEST, 'data.data.urls.15.id', { unlimited: 25, '25': 25, ignored: undefined }],
	['maxLimit', LARGEST, 'data.data.urls.25.id', { unlimited: 15, '25': undefined }],
	['maxLimit', 'GET /api/urls?limit=5', PER_PAGE, { ignored: 15, '25': 5 }],
	['maxLimit', 'GET /api/urls?limit=50', 'status', { 'refused-above-50': 200 }],
	['maxLimit', 'GET /api/urls?limit=51', 'status', { 'refused-above-50': 422 }],
	['pageBeyond', 'GET /api/urls?page=9', 'status', { empty: 200, last: 200, error: 404 }],
	['pageBeyond', 'GET /api/urls?page=9', 'data.data.currentpage', { empty: 9, last: 3 }],
	['pageBeyond', 'GET /api/urls?page=9', 'data.data.urls.0.id', { empty: undefined, last: 10 }],
	['listOrder', 'GET /api/urls', 'data.data.urls.0.id', { asc: 1, desc: 40 }],
	['listOrder', 'GET /api/urls', 'data.data.urls.1.id', { asc: 2, desc: 39 }],
	['integers', 'GET /api/urls', 'data.data.result', { string: '40', number: 40 }],
	['integers', 'GET /api/urls', 'data.data.urls.0.id', { string: '40', number: 40 }],
	['campaignName', CAMPAIGNS, 'data.data.campaigns.0.name', { swapped: NAME }],
	['campaignName', CAMPAIGNS, 'data.data.campaigns.0.domain', { 'as-documented': NAME }],
	['campaignName', CAMPAIGNS, 'data.data.campaigns.1.name', { 'as-documented': NAME }],
	['campaignName', CAMPAIGNS, 'data.data.campaigns.1.domain', { swapped: NAME }],
	[
		'campaignName',
		'POST /api/campaign/add',
		'data.domain',
		{ 'as-documented': 'X' },
		{ name: 'X' },
	],
	['campaignName', 'POST /api/campaign/add', 'data.name', { swapped: 'X' }, { name: 'X' }],
	[
		'topStatistics',
		UNVISITED,
		COUNTRIES,
		{ 'as-documented': 0, integer: 0, object: {}, array: [] },
	],
	['topStatistics', 'GET /api/url/37', COUNTRIES, { 'as-documented': COUNTS, integer: 3 }],
	['topStatistics', 'GET /api/url/37', COUNTRIES, { object: COUNTS, array: COUNTS }],
	['emptyMaps', 'GET /api/url/1', 'data.details.location', { object: {}, array: [] }],
	['pageReference', ADD, 'status', { plain: 200, prefixed: 422 }, { url, type: '1' }],
	['pageReference', ADD, 'status', { plain: 422, prefixed: 200 }, { url, type: 'splash-1' }],
	['pageReference', ADD, 'status', { plain: 200, prefixed: 200 }, { url, type: 'overlay-2' }],
	[
		'messages',
		'GET /api/url/99999',
		'data.message',
		{ misleading: like(/^Unau.+\? Too.+\? .*99999/) },
	],
	['extraMembers', 'GET /api/urls', 'data.data.code', { some: '429', none: undefined }],
	['extraMembers', 'GET /api/url/99999', 'data.code', { some: '429', none: undefined }],
];

const sandboxes = new Map<string, Promise<Sandbox>>();
const sandboxWith = (name: ChoiceName, value: string): Promise<Sandbox> => {
	const key = `${name} ${value}`;
	const sandbox = sandboxes.get(key) ?? startSandbox({ seed: 'demo', dialect: { [name]: value } });
	sandboxes.set(key, sandbox);
	return sandbox;
};
afterAll(async () => {
	for (const sandbox of sandboxes.values()) await (await sandbox).stop();
});

test.each(
	SETTINGS.flatMap(([name, request, path, values, body]) =>
		Object.entries(values).map(([value, is]) => ({ name, value, request, path, body, is })),
	),
)('$name $value: $request has $path $is', async ({ name, value, request, path, body, is }) => {
	const sandbox = await sandboxWith(name, value);
	expect(member(await callLink(sandbox, request, { body }), ...path.split('.'))).toEqual(is);
});

describe.each(['query', 'header', 'body'] as const)('storeKeyPlace %s', (storeKeyPlace) => {
	const sandbox = sandboxForTests({ dialect: { storeKeyPlace } });
	const key = { api_key: DEMO.store.apiKey };

	test.each(['GET /api/account/details', 'POST /api/purchases/validation'])(
		'is the only place where %s takes the key, but that a GET has a query for a body',
		async (endpoint) => {
			const code = { purchase_code: DEMO.purchaseCodes.valid };
			const answers = {
				query: await call(sandbox().storeUrl, endpoint, { query: key, body: code }),
				header: await call(sandbox().storeUrl, endpoint, { headers: key, body: code }),
				body: await call(sandbox().storeUrl, endpoint, { body: { ...key, ...code } }),
			};
			const accepted: string[] = [storeKeyPlace];
			if (storeKeyPlace === 'body' && endpoint.startsWith('GET')) accepted.push('query');
			for (const [place, answer] of Object.entries(answers)) {
				expect([place, answer.status]).toEqual([place, accepted.includes(place) ? 200 : 401]);
			}
		},
	);
});

describe('storeKeyPlace any', () => {
	const sandbox = sandboxForTests();
	test('takes the key from a form too', async () => {
		const answer = await call(sandbox().storeUrl, 'POST /api/purchases/validation', {
			body: new URLSearchParams({
				api_key: DEMO.store.apiKey,
				purchase_code: DEMO.purchaseCodes.valid,
			}).toString(),
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		});
		expect(answer.data).toMatchObject({ status: 'success' });
	});
});

describe('clockSkew', () => {
	const sandbox = sandboxForTests({ dialect: { clockSkew: 7200 } });
	test('moves the Date header and every new datetime', async () => {
		const body = { url: 'https://example.com/x' };
		const added = await callLink(sandbox(), 'POST /api/url/add', { body });
		const { data } = await callLink(sandbox(), `GET /api/url/${String(member(added.data, 'id'))}`);
		const made = `${String(member(data, 'details', 'date')).replace(' ', 'T')}Z`;
		const ahead = (Date.parse(made) - Date.now()) / 1000;
		expect(ahead).toBeGreaterThan(7190);
		expect(ahead).toBeLessThanOrEqual(7200);
		const header = (Date.parse(String(added.headers.date)) - Date.now()) / 1000;
		expect(header).toBeGreaterThan(7190);
	});
});

describe('hostile settings', () => {
	const sandbox = sandboxForTests({
		dialect: { dates: 'back', messages: 'misleading', extraMembers: 'some' },
	});

	test('date every other new record an hour before its time', async () => {
		const dates: number[] = [];
		for (let index = 0; index < 4; index += 1) {
			const body = { url: 'https://example.com/x' };
			const { data } = await callLink(sandbox(), 'POST /api/url/add', { body });
			const link = await callLink(sandbox(), `GET /api/url/${String(member(data, 'id'))}`);
			const date = String(member(link.data, 'details', 'date'));
			dates.push(Math.round((Date.now() - Date.parse(`${date.replace(' ', 'T')}Z`)) / 3_600_000));
		}
		expect(dates).toEqual([0, 1, 0, 1]);
	});
});
