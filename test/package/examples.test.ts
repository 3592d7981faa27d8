import { Script } from 'node:vm';

import { isRecord, record } from '../n8n-host/json.ts';
import { readExamples } from '../n8n-host/instance.ts';
import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { OPERATIONS } from '../operations.ts';
import type { INodeProperties } from 'n8n-workflow';

const TRIGGERS = [new LinkManagementTrigger(), new StoreTrigger()].map(
	({ description }) => description,
);

/** `options.order` for what a node of an example sets and the node does not have. */
function unknownIn(values: unknown, fields: readonly INodeProperties[], path = ''): string[] {
	return Object.entries(record(values)).flatMap(([name, value]) => {
		const found = fields.filter((field) => field.name === name);
		if (found.length === 0) return [`${path}${name}`];
		const parts = found.flatMap(({ type, options = [] }) => (type === 'collection' ? options : []));
		const inner = parts.filter((part): part is INodeProperties => 'type' in part);
		return inner.length > 0 && isRecord(value) ? unknownIn(value, inner, `${path}${name}.`) : [];
	});
}

test('examples set no parameter that their node does not have', async () => {
	for (const [file, { nodes }] of await readExamples()) {
		for (const { type, name, parameters } of nodes) {
			const [, own] = /^n8n-nodes-linkstore\.(\w+?)(?:Tool)?$/.exec(type) ?? [];
			if (own === undefined) continue;
			const { resource, operation, ...values } = parameters;
			const action = OPERATIONS.find(
				(each) => each.node === own && each.name === `${String(resource)}.${String(operation)}`,
			);
			const fields = action?.fields ?? TRIGGERS.find((each) => each.name === own)?.properties ?? [];
			const n8ns = ['pollTimes', 'descriptionType', 'toolDescription'];
			const unknown = unknownIn(values, fields).filter((path) => !n8ns.includes(path));
			expect([file, name, unknown]).toEqual([file, name, []]);
		}
	}
});

/** Runs a Code node of an example on rows. @param others what the other nodes that it reads have output */
async function runCode(file: string, node: string, rows: object[], ...others: object[]) {
	const { nodes = [] } = (await readExamples()).get(file) ?? {};
	const { jsCode } = nodes.find(({ name }) => name === node)?.parameters ?? {};
	const items = rows.map((json) => ({ json }));
	const run = new Script(`(($input, $) => {${String(jsCode)}})`).runInThisContext() as (
		input: object,
		from: object,
	) => Array<{ json: Record<string, unknown> }>;
	const outputs = others.map((json) => ({ json }));
	const output = () => ({ first: () => outputs[0], all: () => outputs });
	return run({ all: () => items }, output).map(({ json }) => json);
}

describe('the sheet that the example of a form returns', () => {
	const FORM = 'sheet-in-sheet-out.json';
	const safe = async (...rows: object[]) => await runCode(FORM, 'Make cells safe', rows);

	test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
		'has no formula %j',
		async (formula) => {
			const [row = {}] = await safe({ url: formula, [formula]: 'x', title: 'a=b' });
			expect(row).toMatchObject({ url: `'${formula}`, [`'${formula}`]: 'x', title: 'a=b' });
		},
	);

	test('has a web address as its short URL, or nothing', async () => {
		const links = ['https://go.example.com/a', 'javascript:alert(1)', '=1', null, undefined];
		const rows = await safe(...links.map((shorturl) => ({ shorturl })));
		expect(rows.map(({ shorturl }) => shorturl)).toEqual([links[0], '', '', '', '']);
	});

	test('has the columns of all rows in every row, and the error after a text of its own at the end', async () => {
		const rows = await safe({ url: 'x', error: '=1+1' }, { url: 'https://a.example', id: 7 });
		expect(rows.map((row) => Object.entries(row))).toEqual([
			[
				['url', 'x'],
				['shorturl', ''],
				['id', ''],
				['error', 'Failed: =1+1'],
			],
			[
				['url', 'https://a.example'],
				['shorturl', ''],
				['id', 7],
				['error', ''],
			],
		]);
	});

	test('is made of a sheet that can be read, whose separator is right, with 1 to 200 rows', async () => {
		const check = async (rows: object[], Separator: string) =>
			await runCode(FORM, 'Check the sheet', rows, { Separator });
		const [one] = await check([{ 'url;alias': 'https://a.example;a' }], 'Comma');
		expect(one).toEqual({
			sheet_problem: expect.stringContaining('separated by semicolons?') as unknown,
		});
		const [two] = await check([{ 'url,alias': 'https://a.example,a' }], 'Semicolon');
		expect(two).toEqual({
			sheet_problem: expect.stringContaining('separated by commas?') as unknown,
		});
		const [unreadable] = await check([{ error: 'Invalid Opening Quote: <b>' }], 'Comma');
		expect(unreadable).toEqual({
			sheet_problem: expect.stringMatching(
				/cannot be read .+: Invalid Opening Quote: &lt;b&gt;\. /,
			) as unknown,
		});
		for (const none of [[], [{}], [{}, {}]]) {
			const [empty] = await check(none, 'Comma');
			expect(empty).toEqual({ sheet_problem: expect.stringContaining('no rows') as unknown });
		}
		const rows = Array.from({ length: 200 }, () => ({ url: 'https://a.example' }));
		expect(await check(rows, 'Comma')).toEqual(rows);
		const [many] = await check([...rows, { url: 'x' }], 'Comma');
		expect(many).toEqual({ sheet_problem: expect.stringContaining('201 rows') as unknown });
	});
});

test('the example of new clicks counts from the last run, and all clicks on links that were not there', async () => {
	const links = [
		{ shorturl: 'a', clicks: 7 },
		{ shorturl: 'b', clicks: 2 },
	];
	const compare = async (...last: object[]) =>
		await runCode('clicks-since-last-week.json', 'Compare', links, ...last);
	const [a, b] = links.map(({ shorturl: link, clicks }) => ({ link, clicks }));
	expect(await compare({})).toEqual([a, b].map((row) => ({ ...row, new_clicks: 0 })));
	expect(await compare({ link: 'a', clicks: 5 })).toEqual([
		{ ...a, new_clicks: 2 },
		{ ...b, new_clicks: 2 },
	]);
});

describe('the example of dead links', () => {
	const FILE = 'dead-links.json';

	test('asks each web address once', async () => {
		const links = ['https://a.example/x#1', 'https://a.example/x', 'mailto:a@b.example'];
		const rows = links.map((longurl, at) => ({ longurl, shorturl: String(at) }));
		expect(await runCode(FILE, 'Targets to check', rows)).toEqual([
			{ target: 'https://a.example/x', links: ['0', '1'] },
		]);
	});

	test('calls gone what is not found or does not respond, not what refuses HEAD', async () => {
		const statuses = [200, 403, 404, 405, 410, 429, 503, undefined];
		const targets = statuses.map((status) => ({ target: String(status), links: ['a'] }));
		const rows = statuses.map((statusCode) => ({ statusCode }));
		const [{ gone } = {}] = await runCode(FILE, 'List what is gone', rows, ...targets);
		const found = (gone as Array<{ target: string }>).map(({ target }) => target);
		expect(found).toEqual(['404', '410', '503', 'undefined']);
		const [one = {}] = targets;
		expect(await runCode(FILE, 'List what is gone', [{ statusCode: 200 }], one)).toEqual([]);
	});
});

test('names of items, and what strangers enter, are escaped in messages and endings of forms', async () => {
	for (const [file, { nodes }] of await readExamples()) {
		for (const { name, parameters } of nodes) {
			const { assignments, bodyParameters, completionMessage } = parameters;
			const texts = JSON.stringify([assignments, bodyParameters, completionMessage]);
			const expressions = texts.match(/\{\{.*?\}\}/g) ?? [];
			const foreign = expressions.filter((each) =>
				/\b(Email|Question|email|item\.name|\$json\.name)\b/.test(each),
			);
			const bare = foreign.filter((each) => !each.includes("replaceAll('<', '&lt;')"));
			expect([file, name, bare]).toEqual([file, name, []]);
		}
	}
});
