import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
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

/** A command to its end. */
const run = async (...args: string[]) =>
	await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) =>
			resolve({ code: error?.code ?? 0, stdout, stderr }),
		);
	});

describe('The command line', () => {
	let child: ChildProcess;
	let output = '';
	let linkUrl: string;
	let port: string;

	beforeAll(async () => {
		const ports = ['--link-port', '0', '--store-port', '0', '--show-requests'];
		const args = [MAIN, ...ports, '--dialect', 'awkward', '--next-page', 'zero'];
		const env = { ...process.env, SANDBOX_LIMIT: '70', SANDBOX_SEED: '3' };
		child = spawn(process.execPath, args, { env });
		child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
		while (child.stdout && !output.includes('Ctrl-C')) await once(child.stdout, 'data');
		linkUrl = /Link service +(\S+)/.exec(output)?.[1] ?? '';
		({ port } = new URL(linkUrl));
	});
	afterAll(async () => {
		if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close');
	});

	const get = async (path: string, key: string) =>
		await call(linkUrl, `GET ${path}`, { headers: { Authorization: `Bearer ${key}` } });

	test('explains itself', async () => {
		const [overview, options] = await Promise.all([run('--help'), run('serve', '--help')]);
		expect(overview.stdout).toMatch(/sandbox --dialect awkward/);
		for (const preset of DIALECT_NAMES) expect(options.stdout).toContain(preset);
		for (const name of CHOICE_NAMES) {
			expect(options.stdout).toContain(name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`));
		}
	});

	test('takes the dialect, a setting and the limit', async () => {
		const { headers, data } = await get('/api/urls', DEMO.link.apiKey);
		expect(headers['x-ratelimit-limit']).toBe('70');
		expect(data).toMatchObject({ data: { result: 3, nextpage: 0 } });
		expect(data).not.toHaveProperty('error');
	});

	test('registers accounts and sets faults on a running sandbox', async () => {
		const at = ['ada@example.com', '--link-port', port];
		const { stdout } = await run('register', ...at);
		const key = String(member(JSON.parse(stdout), 'apiKey'));
		const account = async () => await get('/api/account', key);
		expect((await account()).data).toMatchObject({ data: { email: 'ada@example.com' } });
		await run('fault', 'http-503', '--times', '1', '--link-port', port);
		expect([(await account()).status, (await account()).status]).toEqual([503, 200]);
		const again = await run('register', ...at);
		expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/already registered/)]);
		const rotated = await run('key', 'rotate', ...at);
		expect(member(JSON.parse(rotated.stdout), 'apiKey')).not.toBe(key);
		expect((await account()).status).toBe(403);
	});

	test.each([
		[/^Port \d+ is already in use\. .*$/, () => ['--link-port', port, '--store-port', '0']],
		[/^error: /, () => ['--dialect', 'odd']],
		[/^error: /, () => ['--link-port', 'x']],
		[/^error: /, () => ['--seed', '100001']],
		[/No sandbox answers/, () => ['register', 'a@b.example', '--link-port', '1']],
	])('says in one line what is wrong: %s', async (line, words) => {
		const { code, stdout, stderr } = await run(...words());
		expect([code, stdout, stderr.trim()]).toEqual([1, '', expect.stringMatching(line)]);
	});

	test('shows requests without their keys, and ends on SIGTERM', async () => {
		const storeUrl = /Store +(\S+)/.exec(output)?.[1] ?? '';
		await get('/api/urls?page=2', 'secret-key');
		await call(storeUrl, 'GET /api/items/all', { query: { api_key: 'secret-key' } });
		child.kill('SIGTERM');
		await once(child, 'close');
		expect(child.exitCode).toBe(0);
		expect(output).toMatch(/link +40\d GET \/api\/urls\?page=2/);
		expect(output).toMatch(/store +40\d GET \/api\/items\/all\?api_key/);
		expect(output).not.toContain('secret-key');
	});
});

test('a database file keeps the data over a restart, is seeded once, and keeps no key and no password', async () => {
	const database = join(folder, 'restart.db');
	const first = await startSandbox({ database, seed: 10 });
	await callLink(first, 'DELETE /api/url/1/delete');
	const { apiKey: key } = await first.register({ email: 'a@example.com', password: 'pass-word' });
	const body = { url: 'https://example.com', password: 'link-word' };
	await callLink(first, 'POST /api/url/add', { key, body });
	await first.stop();
	const second = await startSandbox({ database, seed: 10 });
	const { data } = await callLink(second, 'GET /api/urls');
	await second.stop();
	expect(member(data, 'data', 'result')).toBe(9);
	const bytes = readFileSync(database, 'latin1');
	expect(bytes).toContain('a@example.com');
	for (const secret of [key, 'pass-word', 'link-word']) expect(bytes).not.toContain(secret);
});
