import axios from 'axios';
import fc from 'fast-check';
import { DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import { call, callLink, callStore, sandboxForTests } from './clients.ts';
import type { Answer } from './clients.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';
import { isObject } from './shapes.ts';

const RUNS = 100;

const BROWSER = { maxRedirects: 0, validateStatus: () => true, proxy: false as const };

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

/** A body with some of these fields, now and then with others. */
const bodyFor = (fields: readonly string[]) =>
	fc.oneof(
		{
			weight: 6,
			arbitrary: fc.record(Object.fromEntries(fields.map((name) => [name, fieldValue])), {
				requiredKeys: [],
			}),
		},
		{ weight: 1, arbitrary: fc.dictionary(fc.string(), fc.jsonValue()) },
		{ weight: 1, arbitrary: fc.jsonValue() },
	);

/** A request to any endpoint, with anything in its path, query and body; what is required is mostly there. */
const linkRequest = fc
	.constantFrom(...Object.entries(LINK_ENDPOINTS))
	.chain(([name, { body = {}, example = {} }]) =>
		fc.record({
			name: fc.constant(name),
			id: fc.oneof(fc.constant('1'), fc.string({ minLength: 1 }).map(encodeURIComponent)),
			query: fc.record(
				{ limit: fc.string(), page: fc.string(), order: fc.string() },
				{ requiredKeys: [] },
			),
			body: fc.oneof(
				bodyFor(Object.keys(body)).map((value) => JSON.stringify(value)),
				bodyFor(Object.keys(body)).map((value) =>
					JSON.stringify(isObject(value) ? { ...example.body, ...value } : value),
				),
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

	test('nothing makes the link service fail or answer anything but JSON, and what it gives an address can be opened', async () => {
		await fc.assert(
			fc.asyncProperty(linkRequest, async ({ name, id, query, body }) => {
				const params = { id, campaignid: id, linkid: id, channelid: id, type: id, itemid: id };
				const request = { params, query, ...(name.startsWith('GET') ? {} : { body }) };
				const answer = await callLink(sandbox(), name, request);
				expectJson(answer);
				for (const member of ['shorturl', 'link']) {
					const address = isObject(answer.data) ? answer.data[member] : undefined;
					if (typeof address !== 'string' || !address.startsWith(sandbox().linkUrl)) continue;
					const { status } = await axios.get(address, BROWSER);
					expect(status).toBeLessThan(400);
				}
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
					const query = { api_key: DEMO.store.apiKey };
					const given = { query, body: JSON.stringify(body) };
					expectJson(await call(sandbox().storeUrl, name, given));
				},
			),
			{ numRuns: RUNS },
		);
	});
});
