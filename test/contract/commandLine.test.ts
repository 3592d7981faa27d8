import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DEMO } from '../../sandbox/sandbox.ts';
import { call } from './clients.ts';

const MAIN = join(process.cwd(), 'sandbox', 'main.ts');

test('the sandbox has the settings of its command line, and ends on SIGTERM', async () => {
	const ports = ['--link-port', '0', '--store-port', '0'];
	const settings = '--dialect hostile --set pageNumbers=last-null --set types=integers'.split(' ');
	const child = spawn(process.execPath, [MAIN, ...ports, ...settings]);
	let output = '';
	child.stdout.on('data', (text: Buffer) => (output += text.toString()));
	while (!output.includes('Ctrl-C')) await once(child.stdout, 'data');
	const linkUrl = /Link service +(\S+)/.exec(output)?.[1] ?? '';
	const headers = { Authorization: `Bearer ${DEMO.link.apiKey}` };
	const { data } = await call(linkUrl, 'GET /api/urls?limit=100&page=2', { headers });
	expect(data).toMatchObject({ error: '0', data: { result: '40', nextpage: null } });
	child.kill('SIGTERM');
	await once(child, 'close');
	expect(child.exitCode).toBe(0);
});

test.each<[RegExp, ...string[]]>([
	[/^failureStatus must be one of: http4xx, http200\.$/, '--set', 'failureStatus=odd'],
	[/^Unknown option '--limits'/, '--limits', '3'],
])('a wrong use of it says in one line what is wrong: %s', async (line, ...words) => {
	const { code, stdout, stderr } = await new Promise<Record<string, unknown>>((resolve) => {
		execFile(process.execPath, [MAIN, ...words], (error, stdout, stderr) =>
			resolve({ code: error?.code, stdout, stderr: stderr.trim() }),
		);
	});
	expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(line)]);
});
