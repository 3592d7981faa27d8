import { CHOICES, CHOICE_NAMES, DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { ChoiceName, Dialect } from '../../sandbox/dialects.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { call, member, sandboxForTests } from './clients.ts';

interface More {
	body?: object;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	/** Of the service, instead of that of the demo account. */
	key?: string;
	/** Requests that are sent before. */
	after?: Array<[request: string, body?: object]>;
	/** Seconds after these. */
	later?: number;
	/** Other settings of the service. */
	dialect?: Partial<Dialect>;
	/** Where the first response has the address whose response counts. */
	follow?: string;
}

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const NAME = like(/\w/);
const ADDRESS = like(/^http/);
const url = 'https://example.com/x';
const LINK = 'GET /api/url/1';
const LARGEST = 'GET /api/urls?limit=500';
const ADD = 'POST /api/url/add';
const UPDATE = 'PUT /api/url/1/update';
const bodyOf = (fields: object): More => ({ body: { url, ...fields } });
const BODY = bodyOf({});
const ADD_CAMPAIGN = 'POST /api/campaign/add';
const ACCOUNT = 'GET /api/account';
const QR_CODE = 'GET /api/qr/1';
const VALIDATE = 'POST /api/purchases/validation';
const RETRY_AFTER = 'headers.retry-after';
const LIMIT = 'headers.x-ratelimit-limit';
const MEDIA_TYPE = 'headers.content-type';
const TOKEN: More = { headers: { Authorization: `Token ${DEMO.link.apiKey}` } };
const OVER = { error: 1, message: 'Rate limit exceeded' };
const LIMITED: More = { after: [[ACCOUNT]] };
const PICTURE: More = { follow: 'data.details.link' };
const [PNG, SVG, HTML] = ['image/png', like(/^image\/svg\+xml/), like(/^text\/html/)];
const KEY = { api_key: DEMO.store.apiKey };
const CODE = { purchase_code: DEMO.purchaseCodes.valid };
const STORE_KEYS: Record<string, More> = {
	query: { query: KEY, body: CODE },
	header: { headers: KEY, body: CODE },
	body: { body: { ...KEY, ...CODE } },
	form: {
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams({ ...KEY, ...CODE }),
	},
};
const INVALID: More = { body: { ...KEY, purchase_code: DEMO.purchaseCodes.invalid } };
const VALID: More = { body: { ...KEY, ...CODE } };
const INVALID_WORDS = {
	documented: 'Invalid purchase code',
	translated: 'Código de compra inválido',
};
const SHOUTED: More = { body: { ...KEY, purchase_code: CODE.purchase_code.toUpperCase() } };
const STORE_ACCOUNT = 'store GET /api/account/details';
const X_API_KEY: More = { headers: { 'x-api-key': DEMO.store.apiKey } };
const ALIAS_OF_ANOTHER_DOMAIN: More = {
	after: [[ADD, { url, custom: 'twice' }]],
	body: { url, custom: 'twice', domain: 'https://go.example.com' },
};
const KNOWN_URL: More = { body: { url: 'https://www.example.com/spring' } };
const TWO_LINKS: More = {
	after: [
		[ADD, { url }],
		[ADD, { url }],
	],
};

/** The clock of the services stands, but for the seconds that a row lets pass. */
const [NOON, ELEVEN] = ['2030-01-02 12:00:00', '2030-01-02 11:00:00'];
const START = Date.UTC(2030, 0, 2, 12);
const END_OF_WINDOW = String(START / 1000 + 60);
let now = START;

/** What is asked, a member of what comes, and what each value of a setting makes of it. */
const SETTINGS: Array<
	[ChoiceName, request: string, member: string, values: Record<string, unknown>, more?: More]
> = [
	['keyScheme', LINK, 'status', { bearer: 200, token: 401 }],
	['keyScheme', LINK, 'status', { bearer: 401, token: 200 }, TOKEN],
	['keyHeader', LINK, 'status', { kept: 200, removed: 401 }],
	['apiAccess', LINK, 'status', { allowed: 200, 'no-permission': 403, disabled: 403 }],
	['apiAccess', LINK, 'data.message', { 'not-activated': 'Please activate your account.' }],
	['invalidInput', ADD, 'data.errors.url', { laravel: ['url is required.'] }, { body: {} }],
	['invalidInput', ADD, 'data.error', { laravel: undefined, documented: 1 }, { body: {} }],
	['updatedLink', UPDATE, 'data.shorturl', { shorturl: ADDRESS, short: undefined }, BODY],
	['maxLimit', LARGEST, 'data.data.perpage', { unlimited: 500, '100': 100 }],
	['maxLimit', 'GET /api/urls?limit=51', 'status', { 'refused-above-50': 422 }],
	['maxLimit', LARGEST, 'data.data.urls.15.id', { unlimited: 25, '25': 25, ignored: undefined }],
	['maxLimit', LARGEST, 'data.data.urls.25.id', { unlimited: 15, '25': undefined }],
	['campaignName', ADD_CAMPAIGN, 'data.domain', { 'as-documented': 'X' }, { body: { name: 'X' } }],
	['campaignName', ADD_CAMPAIGN, 'data.name', { swapped: 'X' }, { body: { name: 'X' } }],
	['pageReference', ADD, 'status', { plain: 200, prefixed: 422 }, bodyOf({ type: '1' })],
	['pageReference', ADD, 'status', { plain: 422, prefixed: 200 }, bodyOf({ type: 'splash-1' })],
	['aliasCharacters', ADD, 'status', { plain: 422, any: 200 }, bodyOf({ custom: 'R&D/größe' })],
	['sameUrl', ADD, 'data.id', { new: 41, existing: 37 }, KNOWN_URL],
	['linkAnswer', ADD, 'data.id', { 'as-documented': 41, 'without-id': undefined }, BODY],
	['linkAnswer', ADD, 'data.data.id', { nested: 41 }, BODY],
	['linkAnswer', ADD, 'data.short', { 'without-id': ADDRESS }, BODY],
	['linkAnswer', ADD, 'data.short_url', { short_url: ADDRESS }, BODY],
	['linkAnswer', UPDATE, 'data.short', { 'as-documented': ADDRESS, 'without-id': undefined }, BODY],
	['linkAnswer', UPDATE, 'data.data.shorturl', { nested: ADDRESS }, BODY],
	['rateLimited', ACCOUNT, 'status', { 'retry-after': 429, body: 429, failure: 429 }, LIMITED],
	['rateLimited', ACCOUNT, 'status', { text: 429, epoch: 429, http200: 200, absurd: 200 }, LIMITED],
	['rateLimited', ACCOUNT, 'status', { 'body-200': 200 }, LIMITED],
	['rateLimited', ACCOUNT, RETRY_AFTER, { 'retry-after': '60', epoch: END_OF_WINDOW }, LIMITED],
	['rateLimited', ACCOUNT, RETRY_AFTER, { body: undefined, failure: undefined }, LIMITED],
	['rateLimited', ACCOUNT, 'data', { failure: OVER, http200: OVER }, LIMITED],
	['rateLimited', ACCOUNT, 'data', { text: 'Too Many Requests' }, LIMITED],
	['rateLimited', ACCOUNT, 'data.Retry-After', { body: 60, absurd: '999999999999' }, LIMITED],
	['limitOverTime', ACCOUNT, LIMIT, { steady: '1000', changing: '500' }, { ...LIMITED, later: 60 }],
	['qrPicture', QR_CODE, MEDIA_TYPE, { png: PNG, svg: SVG, page: HTML, fake: PNG }, PICTURE],
	['qrPicture', QR_CODE, MEDIA_TYPE, { mistyped: like(/^text\/plain/) }, PICTURE],
	['qrPicture', QR_CODE, 'data', { fake: like(/^<!doctype html>/) }, PICTURE],
	['qrPicture', QR_CODE, 'headers.content-length', { huge: like(/^11[5-9]\d{5}$/) }, PICTURE],
	['qrPicture', QR_CODE, 'status', { redirect: 302, loop: 302, missing: 404 }, PICTURE],
	['qrPicture', QR_CODE, 'headers.location', { redirect: like(/\?format=png$/) }, PICTURE],
	...(['GET /api/account/details', VALIDATE] as const).flatMap((request) =>
		Object.entries(STORE_KEYS).map(([place, more]): (typeof SETTINGS)[number] => {
			const inPlace = (setting: string) => (setting === place ? 200 : 401);
			const isGet = request !== VALIDATE;
			const isQueryOfGet = place === 'query' && isGet;
			const values = {
				any: 200,
				query: inPlace('query'),
				header: inPlace('header'),
				body: isQueryOfGet || place === 'form' ? 200 : inPlace('body'),
				form: isQueryOfGet || (place === 'form' && !isGet) ? 200 : 401,
			};
			return ['storeKeyPlace', `store ${request}`, 'status', values, more];
		}),
	),
	['invalidPurchase', `store ${VALIDATE}`, 'status', { 404: 404, 200: 200 }, INVALID],
	['invalidPurchase', `store ${VALIDATE}`, 'status', { 401: 401, 403: 403, 422: 422 }, INVALID],
	['invalidPurchaseWords', `store ${VALIDATE}`, 'data.msg', INVALID_WORDS, INVALID],
	['purchasePlace', `store ${VALIDATE}`, 'data.data.date', { data: NAME }, VALID],
	[
		'purchasePlace',
		`store ${VALIDATE}`,
		'data.data.purchase.date',
		{ 'data.purchase': NAME },
		VALID,
	],
	['purchasePlace', `store ${VALIDATE}`, 'data.purchase.date', { purchase: NAME }, VALID],
	['purchasePlace', `store ${VALIDATE}`, 'data.item.date', { item: NAME }, VALID],
	['codeSpelling', `store ${VALIDATE}`, 'status', { exact: 404, folded: 200 }, SHOUTED],
	[
		'codeSpelling',
		`store ${VALIDATE}`,
		'data.data.purchase.purchase_code',
		{ folded: CODE.purchase_code, 'folded-echo': CODE.purchase_code.toUpperCase() },
		SHOUTED,
	],
	['storeKeyWords', STORE_ACCOUNT, 'data.msg', { own: like(/key/), endpoint: 'Invalid request' }],
	['storeKeyWords', `store ${VALIDATE}`, 'status', { own: 401, endpoint: 404 }, { body: CODE }],
	['underscoreHeaders', STORE_ACCOUNT, 'status', { kept: 200, dropped: 401 }, { headers: KEY }],
	['underscoreHeaders', STORE_ACCOUNT, 'status', { kept: 200, dropped: 200 }, X_API_KEY],
	['aliases', ADD, 'status', { unique: 409, 'per-domain': 200 }, ALIAS_OF_ANOTHER_DOMAIN],
	['dates', 'GET /api/url/42', 'data.details.date', { forward: NOON, back: ELEVEN }, TWO_LINKS],
];

describe('The table of settings', () => {
	test('gives each preset one of the allowed values', () => {
		for (const preset of DIALECT_NAMES) {
			for (const name of CHOICE_NAMES) {
				expect(CHOICES[name].values).toContain(presetDialect(preset)[name]);
			}
		}
	});
});

const sandboxes = new Map<string, Promise<Sandbox>>();
const sandboxWith = (
	name: ChoiceName,
	value: string,
	others: Partial<Dialect> = {},
): Promise<Sandbox> => {
	const key = `${name} ${value} ${JSON.stringify(others)}`;
	const rateLimit = { requests: name === 'rateLimited' ? 1 : 1000, windowSeconds: 60 };
	const options = {
		seed: 'demo',
		clock: () => now,
		rateLimit,
		dialect: { [name]: value, ...others },
	} as const;
	const sandbox = sandboxes.get(key) ?? startSandbox(options);
	sandboxes.set(key, sandbox);
	return sandbox;
};
afterAll(async () => {
	for (const sandbox of sandboxes.values()) await (await sandbox).stop();
});

test.each(
	SETTINGS.flatMap(([name, request, path, values, more = {}]) =>
		Object.entries(values).map(([value, is]) => ({ name, value, request, path, is, more })),
	),
)('$name $value: $request has $path $is', async ({ name, value, request, path, is, more }) => {
	const { key = DEMO.link.apiKey, after = [], later = 0, follow, headers, dialect, ...rest } = more;
	const { linkUrl, storeUrl } = await sandboxWith(name, value, dialect);
	const send = async (endpoint: string, options: object = {}) =>
		endpoint.startsWith('store ')
			? await call(storeUrl, endpoint.slice(6), { headers, ...options })
			: await call(linkUrl, endpoint, {
					headers: { Authorization: `Bearer ${key}`, ...headers },
					...options,
				});
	now = START;
	for (const [before, body] of after) await send(before, { body });
	now += later * 1000;
	let answer = await send(request, rest);
	if (follow) answer = await call(String(member(answer, ...follow.split('.'))), 'GET ');
	expect(member(answer, ...path.split('.'))).toEqual(is);
});

describe('clockSkew', () => {
	const sandbox = sandboxForTests({ dialect: { clockSkew: 7200 }, clock: () => START });
	test('moves the Date header and every new datetime', async () => {
		const headers = { Authorization: `Bearer ${DEMO.link.apiKey}` };
		const added = await call(sandbox().linkUrl, ADD, { body: { url }, headers });
		const { data } = await call(sandbox().linkUrl, 'GET /api/urls', { headers });
		expect(member(data, 'data', 'urls', 0, 'date')).toBe('2030-01-02 14:00:00');
		expect(added.headers.date).toBe('Wed, 02 Jan 2030 14:00:00 GMT');
	});
});
