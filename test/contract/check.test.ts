import { checkService, printed } from '../../sandbox/check/check.ts';
import { SHOWN } from '../../sandbox/check/settings.ts';
import { CHOICE_NAMES, DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { ChoiceName, Dialect } from '../../sandbox/dialects.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { callLink } from './clients.ts';
import { LINK_ENDPOINTS } from './manifest.ts';

/** What `npm run check` says of a service, in each preset of the sandbox, and where the account cannot be read. */

/** Why no GET of the nodes shows a setting. */
const NOT_SHOWN: Partial<Record<ChoiceName, string>> = {
	aliasCharacters: 'responses to writes',
	aliases: 'responses to writes',
	codeSpelling: 'a validation is a POST',
	dates: 'the account may have no records with such dates',
	invalidInput: 'responses to writes',
	invalidPurchase: 'a validation is a POST',
	invalidPurchaseWords: 'a validation is a POST',
	limitOverTime: 'several windows of the rate limit',
	linkAnswer: 'responses to writes',
	pageReference: 'responses to writes',
	purchasePlace: 'a validation is a POST',
	qrPicture: 'the address of a picture is not part of the API',
	rateLimited: 'the limit would have to be exceeded',
	sameUrl: 'responses to writes',
	updatedLink: 'responses to writes',
};

test('every setting is shown by a GET, or is known not to be', () => {
	const shown = CHOICE_NAMES.filter((name) => Object.hasOwn(SHOWN, name));
	expect([...shown, ...Object.keys(NOT_SHOWN)].sort()).toEqual([...CHOICE_NAMES].sort());
});

async function check(
	service: 'link' | 'store',
	dialect: Dialect,
	before?: (sandbox: Sandbox) => Promise<unknown>,
) {
	const rateLimit = { requests: 1000, windowSeconds: 60 };
	const sandbox = await startSandbox({ seed: 'demo', rateLimit, dialect });
	await before?.(sandbox);
	sandbox.clearRequests();
	const { linkUrl, storeUrl } = sandbox;
	const report = await checkService(service, {
		baseUrl: service === 'link' ? linkUrl : storeUrl,
		apiKey: DEMO[service].apiKey,
		requestsPerMinute: 0,
	});
	const methods = [...new Set(sandbox.requests.map(({ method }) => method))];
	await sandbox.stop();
	return { ...report, methods, text: printed(report) };
}

test('every list of the link service is read', async () => {
	const { requests } = await check('link', presetDialect('documented'));
	const asked = new Set(requests.map(({ request }) => request.split('?')[0]));
	const lists = Object.entries(LINK_ENDPOINTS)
		.filter(([request, { list }]) => list !== undefined && !request.includes(':'))
		.map(([request]) => request);
	const missing = lists.filter((request) => !asked.has(request));
	expect(
		missing.map((request) => `LISTS in sandbox/check/settings.ts does not name ${request}`),
	).toEqual([]);
	expect(lists.length).toBeGreaterThan(7);
});

/** The settings of a service that its GETs show; an empty list of items is not in the demo. */
const shownOf = (service: 'link' | 'store'): string[] =>
	Object.entries(SHOWN)
		.filter(([name, shown]) => name !== 'noItems' && ['both', service].includes(shown.service))
		.map(([name]) => name);

describe.each(DIALECT_NAMES)('the preset %s', (preset) => {
	const dialect = presetDialect(preset);

	test.each(['link', 'store'] as const)('of the %s service is described', async (service) => {
		const { findings, methods, text } = await check(service, dialect);
		expect(findings.map(({ setting }) => setting).sort()).toEqual(shownOf(service).sort());
		for (const { setting, values } of findings) {
			const value = dialect[setting];
			if (typeof value === 'number') expect(Number(values[0]) - value).toBeCloseTo(0, -1);
			else expect([setting, values]).toEqual([setting, expect.arrayContaining([value])]);
		}
		expect(methods).toEqual(['GET']);
		expect(text).not.toContain(DEMO[service].apiKey);
	});
});

test.each([
	[0, '0'],
	[999, '0'],
	[1000, '-1'],
	[-7200_000, '7200'],
])('a Date header cut off to the second, read %i ms later, is a skew of %s', (later, skew) => {
	const start = Date.UTC(2030, 0, 2);
	const now = jest.spyOn(Date, 'now').mockReturnValue(start + later);
	const headers = { date: new Date(start).toUTCString() };
	const account = { statusCode: 200, headers, body: {}, kind: undefined };
	expect(SHOWN.clockSkew?.read({ account })).toEqual([skew]);
	now.mockRestore();
});

const addLink = async (sandbox: Sandbox): Promise<void> => {
	await callLink(sandbox, 'GET /api/urls');
	await callLink(sandbox, 'POST /api/url/add', { body: { url: 'https://example.com/' } });
};

test.each<[ChoiceName, Partial<Dialect>, only: string, before?: typeof addLink]>([
	['perPage', { perPage: 'echoed', maxLimit: '25' }, 'echoed'],
	['perPage', { maxLimit: '25' }, 'right'],
	['pageBeyond', { pageBeyond: 'first', maxLimit: '25' }, 'first'],
	['pageBeyond', { pageBeyond: 'last', maxLimit: '25' }, 'last'],
	['result', { result: 'page', maxLimit: '25' }, 'page'],
	['pageCounts', { pageCounts: 'cached' }, 'cached', addLink],
	['listsBy', { listsBy: 'creation' }, 'creation'],
	['listsBy', { listsBy: 'name' }, 'name'],
	['listsBy', { listsBy: 'starred' }, 'starred'],
	['unknownRecord', { unknownRecord: '403' }, '403'],
	['failureStatus', { failureStatus: 'html' }, 'html'],
	['pageNumbers', { pageNumbers: 'none' }, 'none'],
	['largePages', { largePages: 'http500' }, 'http500'],
])('%s with %j is %s alone', async (name, changes, only, before = undefined) => {
	const { findings } = await check('link', { ...presetDialect('documented'), ...changes }, before);
	expect(findings.find(({ setting }) => setting === name)?.values).toEqual([only]);
});

test.each<[Partial<Dialect>, words: RegExp]>([
	[{ keyHeader: 'removed' }, /remove the Authorization header/],
	[{ keyScheme: 'token' }, /Check the API key/],
	[{ botCheck: 'cookie' }, /Extra Header/],
	[{ apiAccess: 'disabled' }, /Check in the service that the account is active/],
])('with %j it says why nothing could be read', async (changes, words) => {
	const { text } = await check('link', { ...presetDialect('documented'), ...changes });
	expect(text).toMatch(words);
});
