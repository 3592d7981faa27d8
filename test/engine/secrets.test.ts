import { inspect } from 'node:util';

import { Stage, onStage } from './support.ts';

const stage = onStage(new Stage());
const printed: string[] = [];

beforeAll(() => {
	for (const stream of [process.stdout, process.stderr]) {
		const write = stream.write.bind(stream);
		jest.spyOn(stream, 'write').mockImplementation((chunk) => {
			printed.push(String(chunk));
			return write(chunk);
		});
	}
});
afterAll(() => {
	jest.restoreAllMocks();
});
beforeEach(() => {
	printed.length = 0;
});

/** Everything that n8n would keep or print, searched also where JSON does not show it. */
function expectNowhere(key: string, run: unknown): void {
	expect(key.length).toBeGreaterThan(10);
	const kept = inspect(run, {
		depth: Infinity,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
		showHidden: true,
	});
	expect(kept).not.toContain(key);
	expect(JSON.stringify(run)).not.toContain(key);
	expect(printed.join('')).not.toContain(key);
}

const FAULTS = [
	undefined,
	'drop-before',
	'drop-after',
	'http-500',
	'http-503',
	'cut-json',
	'empty-body',
	'login-redirect',
] as const;

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

test.each(FAULTS)('no key is in any output, error or log, with the fault %s', async (fault) => {
	if (fault) stage.sandbox.faults.add({ kind: fault, times: 999 });
	const runs = ON_ERROR.flatMap((onError) => {
		const settings = { onError };
		const link = stage.link('link.create', { url: 'https://example.com' }, { settings });
		const store = ['query', 'header', 'body'].map(async (apiKeyLocation) => {
			const credential = { apiKeyLocation };
			const parameters = { purchaseCode: 'some-code' };
			return await stage.store('purchase.validate', parameters, { settings, credential });
		});
		return [link, ...store];
	});
	for (const { run } of await Promise.all(runs)) {
		expectNowhere(stage.linkAccount.apiKey, run);
		expectNowhere(stage.storeAccount.apiKey, run);
	}
});

test('an address at which nothing listens does not bring the key into the error', async () => {
	const credential = { baseUrl: 'http://127.0.0.1:1', apiKeyLocation: 'query' };
	const { run, error } = await stage.store('account.get', {}, { credential });
	expect(error?.message).toBe('No answer from the store: nothing listens at that address and port');
	expectNowhere(stage.storeAccount.apiKey, run);
});
