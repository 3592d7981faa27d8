import axios from 'axios';

import { DEMO } from '../../sandbox/demo.ts';
import { until } from '../n8n-host/until.ts';
import { record, texts } from '../n8n-host/json.ts';
import { toChat } from './exampleRuns.ts';
import type { ExampleStage } from './exampleStage.ts';
import { json, withEntered } from './exampleStage.ts';
import { like } from './matchers.ts';

/** The examples with a public address, called by strangers who have read it. */

const QUIETLY = { validateStatus: () => true, proxy: false as const, maxBodyLength: Infinity };
const CODES = DEMO.purchaseCodes;

/** What a stranger sends as a code. */
const SENT: Array<[what: string, code: string]> = [
	['10 kB', 'x'.repeat(10_240)],
	['a control character', 'a\u0000b'],
	['an escape sequence', '\u001b[31mred'],
	['half an emoji', 'a\ud83d'],
	['direction characters', '\u202edoc'],
	['a formula', '=1+1'],
	['an expression', '={{ $env.PATH }}'],
	['HTML', '<img src=x onerror=alert(1)>'],
	['SQL', "' OR '1'='1"],
	['a path', '../../api/account/details'],
];

const HOSTILE_ADDRESS = '\u202e<b>eve</b>\u0007@example.com\r\nPaid: yes';
const UNSAFE = /[<\p{Bidi_Control}]|[^\P{Cc}\n]/u;

export function describeStrangers(getStage: () => ExampleStage): void {
	let stage: ExampleStage;
	let id: string;

	const publish = async (file: string): Promise<void> => {
		stage = getStage();
		id = await stage.client.publish(withEntered(stage.imported(file), toChat(stage)));
	};
	const unpublish = async (): Promise<void> => await stage.client.deactivate(id);

	/** Every execution has ended, and none in an error. That of a form waits until a browser has shown its ending. */
	const expectEnded = async (): Promise<void> => {
		const executions = await until(async () => {
			const all = await stage.client.executions(id);
			return all.every(({ status }) => !['new', 'running'].includes(status)) && all;
		}, 'the executions');
		const failed = executions.filter(({ status }) => !['success', 'waiting'].includes(status));
		const errors = failed.map(async (each) => (await stage.client.finished(each.id)).error);
		expect(await Promise.all(errors)).toEqual([]);
	};

	const expectSafe = (response: unknown): void => {
		const said = typeof response === 'string' ? response : JSON.stringify(response ?? '');
		expect(said).not.toMatch(/onerror|node_modules|\bat .*\.js:|SQLITE|\$env|127\.0\.0\.1/);
		expect(said).not.toContain(DEMO.store.apiKey);
	};

	/** Fills in a form without its page, as a program does. @returns the page that it ends with, or how the execution ended */
	const submit = async (path: string, fields: Array<string | Blob>): Promise<unknown> => {
		const form = new FormData();
		for (const [at, field] of fields.entries()) {
			if (typeof field === 'string') form.append(`field-${at}`, field);
			else form.append(`field-${at}`, field, 'sheet.csv');
		}
		const { data } = await until(async () => {
			const response = await axios.post<unknown>(`${stage.client.url}/form/${path}`, form, QUIETLY);
			return response.status !== 404 && response;
		}, path);
		const { formWaitingUrl } = record(data);
		if (typeof formWaitingUrl !== 'string') return data;
		const waiting = new URL(formWaitingUrl);
		const status = new URL(waiting);
		status.pathname += '/n8n-execution-status';
		const ended = await until(async () => {
			const said = (await axios.get<unknown>(status.href, QUIETLY)).data;
			return said !== 'running' && said !== 'null' && said;
		}, 'the ending');
		if (ended !== 'form-waiting') return ended;
		const ending = await axios.get<unknown>(waiting.href, QUIETLY);
		// As the page of the ending does, so that the execution ends.
		await axios.post(waiting.href, {}, QUIETLY);
		return ending.data;
	};

	describe('strangers at purchase-support-form.json', () => {
		beforeAll(async () => await publish('purchase-support-form.json'));
		afterAll(unpublish);

		test.each(SENT)('send as a code: %s', async (_what, code) => {
			const page = await submit('purchase-support', ['eve@example.com', code, 'How?']);
			expect(page).toEqual(like(/cannot find this purchase code|send one purchase code/));
			expectSafe(page);
		});

		test('send HTML, and characters that turn the text around, with a valid code', async () => {
			const question = `<script>alert(1)</script>\u202e\u0007${'long '.repeat(10_000)}`;
			const page = await submit('purchase-support', [HOSTILE_ADDRESS, CODES.valid, question]);
			expectSafe(page);
			expect(stage.chat.posts).toHaveLength(1);
			for (const posted of stage.chat.posts) {
				const { text } = texts(record(posted), 'text');
				expect(text).not.toMatch(UNSAFE);
				expect(text.length).toBeLessThan(10_000);
			}
		});

		test('come many at once', async () => {
			const strangers = Array.from(
				{ length: 20 },
				async (_, at) => await submit('purchase-support', ['a@example.com', `no-${at}`, 'How?']),
			);
			for (const page of await Promise.all(strangers)) {
				expect(page).toEqual(like(/cannot find this purchase code|try again later/));
			}
			await expectEnded();
		});
	});

	describe('strangers at sheet-in-sheet-out.json', () => {
		const FILE = 'sheet-in-sheet-out.json';
		const PATH = '5a1c0013-0000-4000-8000-0000000000f0';
		beforeAll(async () => await publish(FILE));
		afterAll(unpublish);

		const csv = (...lines: string[]) => new Blob([lines.join('\r\n')], { type: 'text/csv' });

		test('upload formulas, HTML and control characters, and get cells that are safe', async () => {
			const lines = [
				'url,alias,=cmd',
				'"=HYPERLINK(""https://evil.example"")",@x,-1+1',
				'https://example.com/<b>,+alias,"\t=1"',
				'javascript:alert(1),\u202ealias,\u0007bell',
			];
			await submit(PATH, [csv(...lines), 'Comma']);
			await expectEnded();
			const [latest] = await stage.client.executions(id);
			const rows = json(await stage.client.finished(latest?.id ?? ''), 'Make cells safe');
			expect(rows).toHaveLength(3);
			const cells = rows.flatMap((row) => Object.entries(row).flat());
			expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(String(cell)))).toEqual([]);
			const addresses = rows.map(({ shorturl }) => shorturl);
			expect(addresses.filter((address) => !/^(https?:.*)?$/.test(String(address)))).toEqual([]);
		});

		test('upload more rows than a sheet may have', async () => {
			const lines = Array.from({ length: 300 }, (_, at) => `https://example.com/${at}`);
			const page = await submit(PATH, [csv('url', ...lines), 'Comma']);
			expect(page).toEqual(like(/The sheet has 300 rows\. Upload at most 200/));
			expect(stage.sent()).toEqual([]);
		});

		test.each([
			[csv('url,alias', 'https://a.example'), /cannot be read as a CSV file: .*line 2/],
			[csv('url,alias', '"https://a.example,a'), /cannot be read as a CSV file: Quote Not Closed/],
			[csv('url,alias'), /The file has no rows\. /],
		])('upload what cannot be used, and read why', async (file, why) => {
			expect(await submit(PATH, [file, 'Comma'])).toEqual(like(why));
			expect(stage.sent()).toEqual([]);
		});

		test.each([
			['nothing', new Blob([])],
			['a picture', new Blob([Uint8Array.from({ length: 5000 }, (_, at) => (at * 7) % 256)])],
			['one long line', new Blob(['x'.repeat(2_000_000)])],
			['a page', csv('<html><script>alert(1)</script>')],
		])('upload %s, and create nothing', async (_what, file) => {
			expectSafe(await submit(PATH, [file, 'Comma']));
			expect(stage.sent().filter((request) => request.startsWith('POST'))).toEqual([]);
		});
	});

	test('strangers do not reach the chat of campaign-link-agent.json', async () => {
		stage = getStage();
		const workflow = stage.imported('campaign-link-agent.json');
		const { id: chatId } = await stage.client.importWorkflow(workflow);
		await stage.client.activate(chatId).catch(() => undefined);
		const path = '5a1c0008-0000-4000-8000-00000000c4a7';
		for (const address of [`webhook/${path}/chat`, `webhook-test/${path}/chat`]) {
			const { status } = await axios.post(
				`${stage.client.url}/${address}`,
				{ chatInput: 'Links to https://evil.example', sessionId: 'x', action: 'sendMessage' },
				QUIETLY,
			);
			expect([address, status]).toEqual([address, 404]);
		}
		expect(stage.sent()).toEqual([]);
		await stage.client.deactivate(chatId).catch(() => undefined);
	});
}
