import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { linkService } from '../../dist/nodes/LinkManagement/service.js';
import { classifyResponse } from '../../dist/nodes/shared/http/response.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';
import { storeService } from '../../dist/nodes/Store/service.js';
import { DEMO } from '../../sandbox/demo.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from './manifest.ts';

/** The commands and responses of docs/service-requirements.md. */

const run = promisify(execFile);
const TEXT = readFileSync('docs/service-requirements.md', 'utf8');

const blocksIn = (language: string): string[] =>
	[...TEXT.matchAll(RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
		([, code = '']) => code,
	);

const COMMANDS = blocksIn('bash')
	.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
	.filter((line) => /^(?:ask|curl) /.test(line));
const SETUP = TEXT.split('\n').find((line) => line.startsWith('ask()')) ?? '';

const LIST = { method: 'GET', path: '/api/urls' };

const isOfStore = (text: string): boolean => /store\.example\.com|"status"/.test(text);

/** What the nodes could not understand of a response. */
function problemOf(text: string, statusCode: number, body: unknown): string | undefined {
	const service = isOfStore(text) ? storeService : linkService;
	const outcome = classifyResponse({ statusCode, headers: {}, body }, service, LIST);
	return outcome instanceof Failure ? `${text}: ${outcome.message}` : undefined;
}

test.each(['documented', 'installed'] as const)(
	'every command works on a service in the dialect %s, and the nodes understand the response',
	async (dialect) => {
		const rateLimit = { requests: 0, windowSeconds: 60 };
		const sandbox = await startSandbox({ seed: 'demo', rateLimit, dialect });
		sandbox.clearRequests();
		const scripts = COMMANDS.map((command) =>
			`${SETUP}\n${command}; printf '\\0'`
				.replaceAll('https://links.example.com', sandbox.linkUrl)
				.replaceAll('https://store.example.com', sandbox.storeUrl)
				.replaceAll(/\bKEY\b/g, isOfStore(command) ? DEMO.store.apiKey : DEMO.link.apiKey)
				.replaceAll(/\bCODE\b/g, DEMO.purchaseCodes.valid)
				.replaceAll('"forum"', dialect === 'installed' ? '"reddit"' : '"forum"'),
		);
		const { stdout } = await run('bash', ['-c', scripts.join('\n')]);
		const responses = stdout.split('\0');
		const problems = COMMANDS.map((command, at) => {
			const [head = '', body = ''] = responses[at]?.split(/\r\n\r\n(.*)/s) ?? [];
			const status = Number(/^HTTP\S+ (\d+)/.exec(head)?.[1]);
			return problemOf(command, status, JSON.parse(body));
		});
		const sent = sandbox.requests.map(({ method, path }) => `${method} ${path}`);
		await sandbox.stop();
		expect(problems.filter(Boolean)).toEqual([]);
		const endpoints = Object.keys({ ...LINK_ENDPOINTS, ...STORE_ENDPOINTS });
		const patterns = endpoints.map((name) => RegExp(`^${name.replaceAll(/:\w+/g, '[^/]+')}$`));
		const missing = endpoints.filter((_, at) => !sent.some((each) => patterns[at]?.test(each)));
		expect(missing.map((name) => `${name} has no command in docs/service-requirements.md`)).toEqual(
			[],
		);
		expect(sent).toHaveLength(endpoints.length);
	},
	// One curl an endpoint, on a machine that may be busy
	120_000,
);

test('every response in the document is understood', () => {
	const responses = blocksIn('json');
	expect(responses.length).toBeGreaterThan(4);
	const problems = responses.map((text) => problemOf(text, 200, JSON.parse(text)));
	expect(problems.filter(Boolean)).toEqual([]);
});
