import {
	CHOICES,
	CHOICE_NAMES,
	DIALECT_NAMES,
	presetDialect,
	resolveDialect,
} from '../../sandbox/dialects.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
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

describe('failureStatus', () => {
	const html = sandboxForTests({ dialect: { failureStatus: 'html' } });
	const http200 = sandboxForTests({ dialect: { failureStatus: 'http200' } });

	test('html answers a failure with a page, a success as ever', async () => {
		const failure = await callLink(html(), 'GET /api/url/99999');
		expect([failure.status, failure.headers['content-type']]).toEqual([
			404,
			'text/html; charset=utf-8',
		]);
		expect(failure.data).toMatch(/^<!doctype html>/);
		expect((await callLink(html(), 'GET /api/url/1')).data).toMatchObject({ error: 0 });
	});

	test('http200 answers a failure with 200', async () => {
		const failure = await callLink(http200(), 'GET /api/url/99999');
		expect([failure.status, member(failure.data, 'error')]).toEqual([200, 1]);
	});
});

describe.each(['401', '403', '200'] as const)('keyRefused %s', (keyRefused) => {
	const sandbox = sandboxForTests({ dialect: { keyRefused } });
	test('is the status of a missing and of a wrong key, at both services', async () => {
		const statuses = await Promise.all([
			call(sandbox().linkUrl, 'GET /api/account'),
			callLink(sandbox(), 'GET /api/account', { key: 'wrong' }),
			call(sandbox().storeUrl, 'GET /api/account/details'),
			call(sandbox().storeUrl, 'GET /api/account/details', { query: { api_key: 'wrong' } }),
		]);
		expect(statuses.map(({ status }) => status)).toEqual(Array(4).fill(Number(keyRefused)));
	});
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

describe('campaignName', () => {
	const documented = sandboxForTests();
	const swapped = sandboxForTests({ dialect: { campaignName: 'swapped' } });
	const keys = async (sandbox: ReturnType<typeof documented>) => {
		const list = await callLink(sandbox, 'GET /api/campaigns');
		const added = await callLink(sandbox, 'POST /api/campaign/add', { body: { name: 'X' } });
		return [
			member(list.data, 'data', 'campaigns', 0),
			member(list.data, 'data', 'campaigns', 1),
			added.data,
		].map((record) => (member(record, 'name') === undefined ? 'domain' : 'name'));
	};

	test('stands as documented or the other way round', async () => {
		expect(await keys(documented())).toEqual(['domain', 'name', 'domain']);
		expect(await keys(swapped())).toEqual(['name', 'domain', 'name']);
	});
});

describe('topStatistics and emptyMaps', () => {
	const shapes = {
		'as-documented': sandboxForTests({ dialect: { topStatistics: 'as-documented' } }),
		integer: sandboxForTests({ dialect: { topStatistics: 'integer' } }),
		object: sandboxForTests({ dialect: { topStatistics: 'object' } }),
		array: sandboxForTests({ dialect: { topStatistics: 'array', emptyMaps: 'array' } }),
	};
	const topOf = async (name: keyof typeof shapes, id: number) => {
		const { data } = await callLink(shapes[name](), `GET /api/url/${id}`);
		return member(data, 'data', 'topCountries');
	};

	test('shape the statistics of a link without traffic', async () => {
		expect(await topOf('as-documented', 1)).toBe(0);
		expect(await topOf('integer', 1)).toBe(0);
		expect(await topOf('object', 1)).toEqual({});
		expect(await topOf('array', 1)).toEqual([]);
	});

	test('shape the statistics of a link with traffic', async () => {
		const counts = { 'United States': '2', France: '1', Germany: '1' };
		expect(await topOf('as-documented', 37)).toEqual(counts);
		expect(await topOf('integer', 37)).toBe(3);
		expect(await topOf('object', 37)).toEqual(counts);
		expect(await topOf('array', 37)).toEqual(counts);
	});

	test('write an empty map as {} or []', async () => {
		const asObject = await callLink(shapes.object(), 'GET /api/url/1');
		const asArray = await callLink(shapes.array(), 'GET /api/url/1');
		expect(member(asObject.data, 'details', 'location')).toEqual({});
		expect(member(asArray.data, 'details', 'location')).toEqual([]);
	});
});

describe('pageReference', () => {
	const plain = sandboxForTests();
	const prefixed = sandboxForTests({ dialect: { pageReference: 'prefixed' } });
	const add = async (sandbox: ReturnType<typeof plain>, type: string) => {
		const body = { url: 'https://example.com/x', type };
		return (await callLink(sandbox, 'POST /api/url/add', { body })).status;
	};

	test('is how "type" names a splash page or an overlay', async () => {
		expect(await add(plain(), '1')).toBe(200);
		expect(await add(plain(), 'overlay-2')).toBe(200);
		expect(await add(plain(), 'splash-1')).toBe(422);
		expect(await add(prefixed(), 'splash-1')).toBe(200);
		expect(await add(prefixed(), 'overlay-2')).toBe(200);
		expect(await add(prefixed(), '1')).toBe(422);
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

describe('maxLimit', () => {
	const ignored = sandboxForTests({ dialect: { maxLimit: 'ignored' } });
	const refused = sandboxForTests({ dialect: { maxLimit: 'refused-above-50' } });
	const page = async (sandbox: ReturnType<typeof ignored>, limit: number) =>
		await callLink(sandbox, 'GET /api/urls', { query: { limit } });

	test.each([5, 15, 100])('ignored gives 15 records to who asks for %i', async (limit) => {
		const { data } = await page(ignored(), limit);
		expect(member(data, 'data', 'perpage')).toBe(15);
		expect(member(data, 'data', 'urls', 14)).toBeDefined();
		expect(member(data, 'data', 'urls', 15)).toBeUndefined();
	});

	test('refused-above-50 refuses 51', async () => {
		expect((await page(refused(), 50)).status).toBe(200);
		expect((await page(refused(), 51)).status).toBe(422);
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

	test('put words of other failures before a message, but not before those about the key', async () => {
		const unknown = await callLink(sandbox(), 'GET /api/url/99999');
		expect(member(unknown.data, 'message')).toMatch(/^Unauthorized\? Too many requests\? .*99999/);
		const { data } = await callLink(sandbox(), 'GET /api/account', { key: 'wrong' });
		expect(member(data, 'message')).toBe('The API key is not valid.');
	});

	test('add members to lists and failures', async () => {
		const list = await callLink(sandbox(), 'GET /api/urls');
		expect(member(list.data, 'data')).toMatchObject({ code: '429' });
		const failure = await callLink(sandbox(), 'GET /api/url/99999');
		expect(failure.data).toMatchObject({ error: 1, code: '429' });
		const purchase = { api_key: DEMO.store.apiKey, purchase_code: 'x' };
		const store = await call(sandbox().storeUrl, 'POST /api/purchases/validation', {
			body: purchase,
		});
		expect(store.data).toMatchObject({ msg: 'Invalid purchase code', code: '429' });
	});
});
