import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import { call, callLink, member } from './clients.ts';

const MAIN = join(process.cwd(), 'sandbox', 'main.ts');

/** A command to its end. */
const run = async (...args: string[]) =>
	await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) =>
			resolve({ code: error?.code ?? 0, stdout, stderr }),
		);
	});

test('the sandbox has the settings of its command line, takes faults, shows no key, and ends on SIGTERM', async () => {
	const ports = ['--link-port', '0', '--store-port', '0', '--show-requests'];
	const settings = ['--dialect', 'hostile', '--page-numbers', 'last-null', '--limit', '70'];
	const child = spawn(process.execPath, [MAIN, ...ports, ...settings, '--links', '3']);
	let output = '';
	child.stdout.on('data', (text: Buffer) => (output += text.toString()));
	while (!output.includes('Ctrl-C')) await once(child.stdout, 'data');
	const linkUrl = /Link service +(\S+)/.exec(output)?.[1] ?? '';
	const get = async (path: string, key: string = DEMO.link.apiKey) =>
		await call(linkUrl, `GET ${path}`, { headers: { Authorization: `Bearer ${key}` } });
	try {
		const { headers, data } = await get('/api/urls');
		expect(headers['x-ratelimit-limit']).toBe('70');
		expect(data).toMatchObject({ error: false, data: { result: '3', nextpage: null } });

		const fault = { kind: 'http-503', times: '2', path: '/api/account' };
		await call(linkUrl, 'POST /sandbox/faults', { body: fault });
		expect((await get('/api/account')).status).toBe(503);
		await call(linkUrl, 'DELETE /sandbox/faults');
		expect((await get('/api/account')).status).toBe(200);

		const { code, stdout, stderr } = await run('--link-port', new URL(linkUrl).port);
		expect([code, stdout]).toEqual([1, '']);
		expect(stderr.trim()).toMatch(/address already in use/);

		const storeUrl = /Store +(\S+)/.exec(output)?.[1] ?? '';
		await get('/api/urls?page=2', 'secret-key');
		await call(storeUrl, 'GET /api/items/all', { query: { api_key: 'secret-key' } });
	} finally {
		child.kill('SIGTERM');
		await once(child, 'close');
	}
	expect(child.exitCode).toBe(0);
	expect(output).toMatch(/link +\d{3} GET \/api\/urls\?page=2/);
	expect(output).toMatch(/store +\d{3} GET \/api\/items\/all\?api_key/);
	expect(output).not.toContain('secret-key');
});

test.each<[RegExp, ...string[]]>([
	[/^--links must be a whole number from 0 to 100000\.$/, '--links', '100001'],
	[/^--dialect must be one of: documented, seen, hostile\.$/, '--dialect', 'odd'],
	[/^Unknown option '--limits'/, '--limits', '3'],
])('a wrong use of it says in one line what is wrong: %s', async (line, ...words) => {
	const { code, stdout, stderr } = await run(...words);
	expect([code, stdout, stderr.trim()]).toEqual([1, '', expect.stringMatching(line)]);
});

test('a database file keeps the data over a restart, and is seeded once', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const database = join(folder, 'restart.db');
	const first = await startSandbox({ database, seed: 10 });
	await callLink(first, 'DELETE /api/url/1/delete');
	await first.stop();
	const second = await startSandbox({ database, seed: 10 });
	const { data } = await callLink(second, 'GET /api/urls');
	await second.stop();
	expect(member(data, 'data', 'result')).toBe(9);
	rmSync(folder, { recursive: true });
});
