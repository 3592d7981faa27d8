import axios from 'axios';
import fc from 'fast-check';
import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import { call, callLink, callStore, member, sandboxForTests } from './clients.ts';
import type { Answer } from './clients.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';
import { isObject } from './shapes.ts';

const RUNS = 250;

/** Values that a field may well accept, so that inputs get beyond the first check. */
const plausible = fc.constantFrom<unknown>(
	'https://example.com/a?b=c#d',
	'https://xn--bcher-kva.example/ü',
	'http://[::1]/',
	'direct',
	'overlay-1',
	'text',
	'wifi',
	'vcard',
	'forum',
	'#fff',
	'rgb(1, 2, 3)',
	'2099-12-31 23:59:59',
	'logo.png',
	'https://go.example.com',
	'name\r\nwith: lines',
	'\u0000',
	'\ud800',
	'😀'.repeat(50),
	1,
	-0.5,
	true,
	null,
	[{ location: '__proto__', link: 'https://example.com' }],
	[{ device: 'iphone', link: 'https://example.com' }],
	[{ name: 'a', value: ['b'] }],
	{ ssid: 'a', phone: 'b', email: 'c', text: 'd', link: 'https://example.com' },
);
const fieldValue = fc.oneof({ weight: 3, arbitrary: plausible }, fc.jsonValue());

/** A body with some of an endpoint's fields, now and then with others. */
const bodyFor = (fields: readonly string[]) =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.record(fieldsOf(fields, fieldValue), { requiredKeys: [] }) },
		{ weight: 1, arbitrary: fc.dictionary(fc.string(), fc.jsonValue()) },
		{ weight: 1, arbitrary: fc.jsonValue() },
	);
const fieldsOf = <Value>(names: readonly string[], value: Value): Record<string, Value> =>
	Object.fromEntries(names.map((name) => [name, value]));

/** A request to any endpoint, with anything in its path, query and body. */
const linkRequest = fc
	.constantFrom(...Object.entries(LINK_ENDPOINTS))
	.chain(([name, { body = {} }]) =>
		fc.record({
			name: fc.constant(name),
			id: fc.oneof(fc.constant('1'), fc.string({ minLength: 1 }).map(encodeURIComponent)),
			query: fc.record(
				{ limit: fc.string(), page: fc.string(), order: fc.string() },
				{ requiredKeys: [] },
			),
			body: fc.oneof(
				{ weight: 3, arbitrary: bodyFor(Object.keys(body)).map((value) => JSON.stringify(value)) },
				fc.string(),
				fc.string({ unit: 'binary' }),
			),
		}),
	);

const expectJson = (answer: Answer): void => {
	expect(answer.status).toBeLessThan(500);
	expect(answer.headers['content-type']).toMatch(/^application\/json/);
	expect(isObject(answer.data)).toBe(true);
};

describe.each(DIALECT_NAMES)('In the preset %s', (preset) => {
	const dialect = presetDialect(preset);
	const sandbox = sandboxForTests({ dialect: preset });

	test('nothing makes the link service fail or answer anything but JSON', async () => {
		await fc.assert(
			fc.asyncProperty(linkRequest, async ({ name, id, query, body }) => {
				const params = { id, campaignid: id, linkid: id, channelid: id, type: id, itemid: id };
				const hasBody = !name.startsWith('GET');
				expectJson(
					await callLink(sandbox(), name, { params, query, ...(hasBody ? { body } : {}) }),
				);
			}),
			{ numRuns: 3 * RUNS },
		);
	});

	test('nothing makes the store fail or answer anything but JSON', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...Object.keys(STORE_ENDPOINTS)),
				fc.record({ item_id: fc.string(), purchase_code: fc.string() }, { requiredKeys: [] }),
				bodyFor(['api_key', 'purchase_code', 'item_id']),
				async (name, parameters, body) => {
					expectJson(await callStore(sandbox(), dialect, name, parameters));
					expectJson(
						await call(sandbox().storeUrl, name, {
							query: { api_key: DEMO.store.apiKey },
							body: JSON.stringify(body),
						}),
					);
				},
			),
			{ numRuns: RUNS },
		);
	});
});

describe('What the service accepts', () => {
	const sandbox = sandboxForTests();
	const statusOf = async (url: string): Promise<number> =>
		(await axios.get(url, { maxRedirects: 0, validateStatus: () => true, proxy: false })).status;

	test('can be visited', async () => {
		const fields = Object.keys(LINK_ENDPOINTS['POST /api/url/add']?.body ?? {}).filter(
			(field) => field !== 'domain',
		);
		await fc.assert(
			fc.asyncProperty(bodyFor(fields), fc.webUrl(), async (body, url) => {
				const complete = isObject(body) ? { ...body, url } : { url };
				const { data } = await callLink(sandbox(), 'POST /api/url/add', {
					body: JSON.stringify(complete),
				});
				const shortUrl = member(data, 'shorturl');
				if (typeof shortUrl === 'string') expect(await statusOf(shortUrl)).toBeLessThan(400);
			}),
			{ numRuns: RUNS },
		);
	});

	test('can be drawn, if it is a QR code', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'),
				fc.oneof(fc.string(), plausible),
				async (type, data) => {
					const added = await callLink(sandbox(), 'POST /api/qr/add', {
						body: JSON.stringify({ type, data }),
					});
					const link = member(added.data, 'link');
					if (typeof link === 'string') expect(await statusOf(`${link}?format=svg`)).toBe(200);
				},
			),
			{ numRuns: RUNS },
		);
	});
});
