import axios from 'axios';

import { DEMO } from '../../sandbox/demo.ts';
import { QUIETLY } from '../n8n-host/client.ts';
import type { ExampleStage } from './exampleStage.ts';
import { openExamples } from './exampleStage.ts';
import { like } from './matchers.ts';

/** The examples with a public address, called by strangers who have read it. */

const stack = new AsyncDisposableStack();
let stage: ExampleStage;

beforeAll(async () => {
	stage = await openExamples(stack, 'strangers');
	for (const file of ['purchase-support-form.json', 'sheet-in-sheet-out.json']) {
		await stage.publish(file);
	}
});
beforeEach(() => {
	stage.sandbox.clearRequests();
	stage.posts.length = 0;
});
afterAll(async () => await stack.disposeAsync());

const ask = async (email: string, code: string, question: string) =>
	await stage.submit('purchase-support', [email, code, question]);

test.each([
	['10 kB', 'x'.repeat(10_240)],
	['a control character', 'a\u0000b'],
	['half an emoji', 'a\ud83d'],
	['an expression', '={{ $env.PATH }}'],
	['HTML', '<img src=x onerror=alert(1)>'],
	['a path', '../../api/account/details'],
])('the support form ends in order for what cannot be a code: %s', async (_what, code) => {
	const page = await ask('eve@example.com', code, 'How?');
	expect(page).toEqual(like(/cannot find this purchase code|send one purchase code/));
	expect(page).not.toMatch(/onerror|\bat .*\.js:|\$env|127\.0\.0\.1/);
});

test('the support form posts no HTML, no control characters and no novel to the chat', async () => {
	const question = `<script>alert(1)</script>\u202e\u0007${'long '.repeat(10_000)}`;
	await ask('<b>eve</b>@example.com\r\nPaid: yes', DEMO.purchaseCodes.valid, question);
	expect(stage.posts).toHaveLength(1);
	const post = JSON.stringify(stage.posts);
	expect(post).not.toMatch(/<|\u202e|u0007|\\nPaid/);
	expect(post.length).toBeLessThan(10_000);
});

const csv = (...lines: string[]) => new Blob([lines.join('\r\n')], { type: 'text/csv' });

test.each([
	[/cannot be read as a CSV file: .*line 2/, csv('url,alias', 'https://a.example')],
	[/cannot be read as a CSV file: Quote Not Closed/, csv('url', '"https://a.example')],
	[/The file has no rows\. /, csv('url,alias')],
	[/The file has no rows\. /, new Blob([])],
])('the form for sheets says of a file: %s', async (why, file) => {
	const page = await stage.submit('5a1c0013-0000-4000-8000-0000000000f0', [file]);
	expect(page).toEqual(like(why));
	expect(stage.sent()).toEqual([]);
});

test('the chat of the agent is open to nobody', async () => {
	const id = await stage.publish('campaign-link-agent.json').catch(() => undefined);
	const message = {
		chatInput: 'Links to https://evil.example',
		sessionId: 'x',
		action: 'sendMessage',
	};
	const url = `${stage.n8n.client.url}/webhook/5a1c0008-0000-4000-8000-00000000c4a7/chat`;
	const { status } = await axios.post(url, message, QUIETLY);
	expect([id === undefined, status]).toEqual([true, 404]);
	expect(stage.sent()).toEqual([]);
});
