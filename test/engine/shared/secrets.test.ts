import { inspect } from 'node:util';

import type { StageResult } from '../helpers/support.ts';
import { Stage } from '../helpers/support.ts';

/** Everything that n8n would keep or print, searched also where JSON does not show it. */

const printed: string[] = [];

const CONSOLE = ['debug', 'error', 'info', 'log', 'warn'] as const;

beforeAll(() => {
	for (const stream of [process.stdout, process.stderr]) {
		const write = stream.write.bind(stream);
		jest.spyOn(stream, 'write').mockImplementation((chunk) => {
			printed.push(String(chunk));
			return write(chunk);
		});
	}
	// Beside other files, Jest's console writes to no stream.
	for (const name of CONSOLE) {
		jest.spyOn(console, name).mockImplementation((...given: unknown[]) => {
			printed.push(inspect(given, { depth: Infinity }));
		});
	}
});
afterAll(() => {
	jest.restoreAllMocks();
});

test('whatever is printed is seen', () => {
	for (const name of CONSOLE) console[name]({ key: `by ${name}` });
	process.stderr.write('by a stream\n');
	for (const name of [...CONSOLE, 'a stream']) expect(printed.join('')).toContain(`by ${name}`);
});

function expectNoKeys({ linkAccount, storeAccount }: Stage, { run }: StageResult): void {
	const all = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity };
	for (const { apiKey } of [linkAccount, storeAccount]) {
		expect(apiKey.length).toBeGreaterThan(10);
		for (const text of [
			inspect(run, { ...all, showHidden: true }),
			JSON.stringify(run),
			printed.join(''),
		]) {
			expect(text).not.toContain(apiKey);
		}
	}
}

const FAULTS = ['drop-before', 'http-500', 'cut-json', 'login-redirect', undefined] as const;
const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

async function expectNoKeysAt(kind: (typeof FAULTS)[number]): Promise<void> {
	await using stage = await Stage.opened();
	if (kind) stage.sandbox.faults.add({ kind, times: 999 });
	for (const onError of ON_ERROR) {
		const settings = { onError };
		expectNoKeys(stage, await stage.link('link.create', { url: 'https://a.de' }, { settings }));
		for (const apiKeyLocation of ['query', 'header', 'body']) {
			const given = { settings, credential: { apiKeyLocation } };
			expectNoKeys(stage, await stage.store('purchase.validate', { purchaseCode: 'a' }, given));
		}
	}
}

test('no key is in any output, error or log, whatever the fault', async () => {
	// Most of it is waiting before a request is sent again, so all of them wait together.
	await Promise.all(FAULTS.map(expectNoKeysAt));
});
