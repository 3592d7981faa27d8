import { inspect } from 'node:util';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { runNode } from './engine.ts';

const printed: string[] = [];
let sandbox: Sandbox;
let linkKey: string;
let storeKey: string;

beforeAll(async () => {
	for (const stream of [process.stdout, process.stderr]) {
		const write = stream.write.bind(stream);
		jest.spyOn(stream, 'write').mockImplementation((chunk) => {
			printed.push(String(chunk));
			return write(chunk);
		});
	}
	sandbox = await startSandbox({ rateLimit: { requests: 0, windowSeconds: 60 } });
	linkKey = (await sandbox.register({ email: 'secret@example.com' })).apiKey;
	storeKey = (await sandbox.registerStoreAccount({ email: 'secret@example.com' })).apiKey;
});

afterAll(async () => {
	jest.restoreAllMocks();
	await sandbox.stop();
});

beforeEach(() => {
	sandbox.faults.clear();
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

describe.each(FAULTS)('with the fault %s', (fault) => {
	const befall = () => fault && sandbox.faults.add({ kind: fault, times: 999 });

	test('the key of the link service is in no output, error or log', async () => {
		befall();
		const runs = ON_ERROR.map(async (onError) => {
			const { run } = await runNode({
				type: 'linkManagement',
				parameters: { resource: 'link', operation: 'create', url: 'https://example.com' },
				credentials: { linkManagementApi: { baseUrl: sandbox.linkUrl, apiKey: linkKey } },
				settings: { onError },
			});
			expectNowhere(linkKey, run);
		});
		await Promise.all(runs);
	});

	test('the key of the store is in none either, wherever it is sent', async () => {
		befall();
		const places = ['query', 'header', 'body'];
		const runs = places.flatMap((apiKeyLocation) =>
			ON_ERROR.map(async (onError) => {
				const { run } = await runNode({
					type: 'store',
					parameters: { resource: 'purchase', operation: 'validate', purchaseCode: 'some-code' },
					credentials: {
						storeApi: { baseUrl: sandbox.storeUrl, apiKey: storeKey, apiKeyLocation },
					},
					settings: { onError },
				});
				expectNowhere(storeKey, run);
			}),
		);
		await Promise.all(runs);
	});
});

test('an address at which nothing listens does not bring the key into the error', async () => {
	const { run, error } = await runNode({
		type: 'store',
		parameters: { resource: 'account', operation: 'get' },
		credentials: {
			storeApi: { baseUrl: 'http://127.0.0.1:1', apiKey: storeKey, apiKeyLocation: 'query' },
		},
	});
	expect(error?.message).toBe('No answer from the store: nothing listens at that address and port');
	expectNowhere(storeKey, run);
});
