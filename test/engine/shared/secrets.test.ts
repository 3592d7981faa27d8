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
	const everything = {
		depth: Infinity,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
		showHidden: true,
	};
	for (const { apiKey } of [linkAccount, storeAccount]) {
		expect(apiKey.length).toBeGreaterThan(10);
		for (const text of [inspect(run, everything), JSON.stringify(run), printed.join('')]) {
			expect(text).not.toContain(apiKey);
		}
	}
}

const FAULTS = ['drop-before', 'http-500', 'cut-json', 'login-redirect', 'none'] as const;
const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

async function runsWith(stage: Stage, fault: (typeof FAULTS)[number]): Promise<StageResult[]> {
	if (fault !== 'none') stage.sandbox.faults.add({ kind: fault, times: 999 });
	return await Promise.all(
		ON_ERROR.flatMap((onError) => [
			stage.link('link.create', { url: 'https://example.com' }, { settings: { onError } }),
			...['query', 'header', 'body'].map(async (apiKeyLocation) => {
				const given = { settings: { onError }, credential: { apiKeyLocation } };
				return await stage.store('purchase.validate', { purchaseCode: 'some-code' }, given);
			}),
		]),
	);
}

test('no key is in any output, error or log, whatever the fault', async () => {
	// Most of it is waiting before a request is sent again, so all of them wait together.
	const stages = await Promise.all(
		FAULTS.map(async (fault) => ({ fault, stage: await Stage.opened() })),
	);
	const runs = await Promise.all(
		stages.map(async ({ fault, stage }) => await runsWith(stage, fault)),
	);
	for (const [index, { stage }] of stages.entries()) {
		expect(runs[index]).toHaveLength(ON_ERROR.length * 4);
		for (const run of runs[index] ?? []) expectNoKeys(stage, run);
		await stage.close();
	}
});
