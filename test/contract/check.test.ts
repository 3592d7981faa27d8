import { checkService, printed } from '../../sandbox/check/check.ts';
import { SHOWN } from '../../sandbox/check/settings.ts';
import { CHOICES, CHOICE_NAMES, DIALECT_NAMES, presetDialect } from '../../sandbox/dialects.ts';
import type { ChoiceName, Dialect } from '../../sandbox/dialects.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';

/** What `npm run check` says of a service, in each preset of the sandbox, and where the account cannot be read. */

/** No GET of the nodes shows these: they are about writes, time, the order of names, or what would be provoked. */
const NOT_SHOWN: ChoiceName[] = [
	'aliasCharacters',
	'aliases',
	'dates',
	'invalidInput',
	'invalidPurchase',
	'invalidPurchaseWords',
	'limitOverTime',
	'linkAnswer',
	'listsBy',
	'pageCounts',
	'pageReference',
	'purchasePlace',
	'qrPicture',
	'rateLimited',
	'sameUrl',
	'updatedLink',
];

test('every setting is shown by a GET, or is known not to be', () => {
	const shown = CHOICE_NAMES.filter((name) => Object.hasOwn(SHOWN, name));
	expect([...shown, ...NOT_SHOWN].sort()).toEqual([...CHOICE_NAMES].sort());
});

async function check(service: 'link' | 'store', dialect: Dialect) {
	const rateLimit = { requests: 1000, windowSeconds: 60 };
	const sandbox = await startSandbox({ seed: 'demo', rateLimit, dialect });
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

test.each<[Partial<Dialect>, words: RegExp]>([
	[{ keyHeader: 'removed' }, /remove the Authorization header/],
	[{ keyScheme: 'token' }, /Check the API key/],
	[{ botCheck: 'cookie' }, /Extra Header/],
	[{ apiAccess: 'disabled' }, /Check in the service that the account is active/],
])('with %j it says why nothing could be read', async (changes, words) => {
	const { findings, text } = await check('link', { ...presetDialect('documented'), ...changes });
	for (const [name, value] of Object.entries(changes)) {
		const values = findings.find(({ setting }) => setting === name)?.values;
		expect(values).toContain(value);
		expect(CHOICES[name as ChoiceName].values).toEqual(expect.arrayContaining([...(values ?? [])]));
	}
	expect(text).toMatch(words);
});
