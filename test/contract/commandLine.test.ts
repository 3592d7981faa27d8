import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIALECT_NAMES, CHOICE_NAMES } from '../../sandbox/dialects.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { call, callLink, member } from './clients.ts';

const MAIN = join(process.cwd(), 'sandbox', 'main.ts');

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
	code: number | null;
	stdout: string;
	stderr: string;
}

function start(args: string[], env: Record<string, string> = {}): ChildProcess {
	return spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } });
}

async function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
	const child = start(args, env);
	const output = { stdout: '', stderr: '' };
	child.stdout?.on('data', (text: Buffer) => (output.stdout += text.toString()));
	child.stderr?.on('data', (text: Buffer) => (output.stderr += text.toString()));
	await once(child, 'close');
	return { code: child.exitCode, ...output };
}

interface Running {
	child: ChildProcess;
	linkUrl: string;
	output: () => string;
}

/** Starts the services on free ports; each is ended after its test. */
const running: ChildProcess[] = [];
afterEach(async () => {
	for (const child of running.splice(0)) {
		if (child.exitCode !== null || child.signalCode !== null) continue;
		child.kill('SIGKILL');
		await once(child, 'close');
	}
});
async function serve(args: string[], env: Record<string, string> = {}): Promise<Running> {
	const child = start(['--link-port', '0', '--store-port', '0', ...args], env);
	running.push(child);
	let output = '';
	child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
	while (!output.includes('Ctrl-C')) {
		if (!child.stdout) throw new Error('The process has no output');
		await once(child.stdout, 'data');
	}
	const linkUrl = /Link service +(\S+)/.exec(output)?.[1] ?? '';
	return { child, linkUrl, output: () => output };
}

const authorized = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

describe('The command line', () => {
	test('explains itself', async () => {
		const overview = await run(['--help']);
		expect(overview.stdout).toMatch(/sandbox --dialect awkward/);
		const options = await run(['serve', '--help']);
		for (const preset of DIALECT_NAMES) expect(options.stdout).toContain(preset);
		for (const name of CHOICE_NAMES) {
			expect(options.stdout).toContain(name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`));
		}
	});

	test('takes the dialect, a setting and the limit, and ends on SIGTERM', async () => {
		const { child, linkUrl } = await serve(['--dialect', 'awkward', '--next-page', 'zero'], {
			SANDBOX_LIMIT: '7',
			SANDBOX_SEED: '3',
		});
		const list = await call(linkUrl, 'GET /api/urls', authorized(DEMO.link.apiKey));
		expect(list.headers['x-ratelimit-limit']).toBe('7');
		expect(list.data).toMatchObject({ data: { result: 3, nextpage: 0 } });
		expect(list.data).not.toHaveProperty('error');
		child.kill('SIGTERM');
		await once(child, 'close');
		expect(child.exitCode).toBe(0);
	});

	test('shows requests without their keys', async () => {
		const { linkUrl, output, child } = await serve(['--show-requests']);
		const storeUrl = /Store +(\S+)/.exec(output())?.[1] ?? '';
		await call(linkUrl, 'GET /api/urls', { ...authorized('secret-key'), query: { page: 2 } });
		await call(storeUrl, 'GET /api/items/all', { query: { api_key: 'secret-key' } });
		child.kill('SIGTERM');
		await once(child, 'close');
		expect(output()).toMatch(/link +401 GET \/api\/urls\?page=2/);
		expect(output()).toMatch(/store +401 GET \/api\/items\/all\?api_key/);
		expect(output()).not.toContain('secret-key');
	});

	test('registers accounts and sets faults on a running sandbox', async () => {
		const { linkUrl } = await serve(['--seed', 'none']);
		const port = new URL(linkUrl).port;
		const registered = await run(['register', 'ada@example.com', '--link-port', port]);
		const key = String(member(JSON.parse(registered.stdout), 'apiKey'));
		const get = () => call(linkUrl, 'GET /api/account', authorized(key));
		expect((await get()).data).toMatchObject({ data: { email: 'ada@example.com' } });
		await run(['fault', 'http-503', '--times', '1', '--link-port', port]);
		expect([(await get()).status, (await get()).status]).toEqual([503, 200]);
		const again = await run(['register', 'ada@example.com', '--link-port', port]);
		expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/already registered/)]);
		const rotated = await run(['key', 'rotate', 'ada@example.com', '--link-port', port]);
		expect(member(JSON.parse(rotated.stdout), 'apiKey')).not.toBe(key);
		expect((await get()).status).toBe(401);
	});

	test('says in one line what is wrong', async () => {
		const { linkUrl } = await serve([]);
		const { port } = new URL(linkUrl);
		const taken = await run(['--link-port', port, '--store-port', '0']);
		expect(taken).toMatchObject({ code: 1, stdout: '' });
		expect(taken.stderr.trim()).toMatch(/^Port \d+ is already in use\. .*$/);
		for (const wrong of [
			['--dialect', 'odd'],
			['--link-port', 'x'],
			['--seed', '100001'],
		]) {
			const { code, stderr } = await run(wrong);
			expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: /)]);
		}
		const nobody = await run(['register', 'a@b.example', '--link-port', '1']);
		expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringMatching(/No sandbox answers/)]);
	});
});

describe('A database file', () => {
	const result = async (sandbox: Parameters<typeof callLink>[0]) =>
		member((await callLink(sandbox, 'GET /api/urls')).data, 'data', 'result');

	test('keeps the data over a restart and is seeded once', async () => {
		const database = join(folder, 'restart.db');
		const first = await startSandbox({ database, seed: 10 });
		await callLink(first, 'DELETE /api/url/1/delete');
		await first.stop();
		const second = await startSandbox({ database, seed: 10 });
		expect(await result(second)).toBe(9);
		await second.stop();
	});

	test('keeps no key and no password', async () => {
		const database = join(folder, 'secrets.db');
		const sandbox = await startSandbox({ database });
		const { apiKey } = await sandbox.register({ email: 'a@example.com', password: 'pass-word' });
		await callLink(sandbox, 'POST /api/url/add', {
			key: apiKey,
			body: { url: 'https://example.com', password: 'link-word' },
		});
		await sandbox.stop();
		const bytes = readFileSync(database, 'latin1');
		expect(bytes).toContain('a@example.com');
		for (const secret of [apiKey, 'pass-word', 'link-word']) expect(bytes).not.toContain(secret);
	});
});
