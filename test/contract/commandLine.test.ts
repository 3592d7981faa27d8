import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { callLink } from './clients.ts';

const start = (...words: string[]) =>
	spawn(process.execPath, [join(process.cwd(), 'sandbox', 'main.ts'), ...words]);

test('the sandbox has the settings of its command line, and ends on SIGTERM', async () => {
	const settings = '--dialect hostile --set pageNumbers=last-null --set types=integers'.split(' ');
	const child = start('--link-port', '0', '--store-port', '0', ...settings);
	let output = '';
	child.stdout.on('data', (part: Buffer) => (output += part.toString()));
	while (!output.includes('Ctrl-C')) await once(child.stdout, 'data');
	const linkUrl = /Link service +(\S+)/.exec(output)?.[1] ?? '';
	const { data } = await callLink({ linkUrl }, 'GET /api/urls?limit=100&page=2');
	expect(data).toMatchObject({ error: '0', data: { result: '40', nextpage: null } });
	child.kill('SIGTERM');
	expect(await once(child, 'close')).toEqual([0, null]);
});

test.each<[RegExp, ...string[]]>([
	[/^failureStatus must be one of: http4xx, links200, http200\.$/, '--set', 'failureStatus=odd'],
	[/^Unknown option '--limits'/, '--limits', '3'],
])('a wrong use of it says in one line what is wrong: %s', async (line, ...words) => {
	const child = start(...words);
	const [said, ended] = await Promise.all([text(child.stderr), once(child, 'close')]);
	expect([said.trim(), ended]).toEqual([expect.stringMatching(line), [1, null]]);
});
