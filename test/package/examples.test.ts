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

/** Runs a Code node of an example on rows. @param others what the other node that it reads has output */
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

	test('says first what happened to a row, and has the columns of all rows in every row', async () => {
		const rows = await safe(
			{ outcome: 'failed', error: '=1+1', url: 'x' },
			{ outcome: 'created', url: 'https://a.example', id: 7 },
		);
		expect(rows.map((row) => Object.entries(row))).toEqual([
			[
				['outcome', 'failed'],
				['error', 'Failed: =1+1'],
				['shorturl', ''],
				['url', 'x'],
				['id', ''],
			],
			[
				['outcome', 'created'],
				['error', ''],
				['shorturl', ''],
				['url', 'https://a.example'],
				['id', 7],
			],
		]);
	});

	const check = async (rows: object[], Separator = 'Comma') =>
		await runCode(FORM, 'Check the sheet', rows, { Separator });
	const many = Array.from({ length: 201 }, () => ({ url: 'https://a.example' }));

	test.each([
		[/separated by semicolons\?/, [{ 'url;alias': 'https://a.example;a' }], 'Comma'],
		[/separated by commas\?/, [{ 'url,alias': 'https://a.example,a' }], 'Semicolon'],
		[/cannot be read .+: Opening Quote: &lt;b&gt;\. /, [{ error: 'Opening Quote: <b>' }], 'Comma'],
		[/not saved as CSV UTF-8/, [{ url: 'https://a.example/fr\uFFFDhling' }], 'Comma'],
		[/no rows/, [], 'Comma'],
		[/no rows/, [{}, {}], 'Comma'],
		[/201 rows/, many, 'Comma'],
	])('is not made where the form says %s', async (problem, rows, separator) => {
		const sheet_problem = expect.stringMatching(problem) as unknown;
		expect(await check(rows, separator)).toEqual([{ sheet_problem }]);
	});

	test('has up to 200 rows', async () => {
		expect(await check(many.slice(1))).toHaveLength(200);
	});
});

test('the example of clicks reports those since the last run, of links that were not there all', async () => {
	const links = [
		{ shorturl: 'a', clicks: 7, title: 'A' },
		{ shorturl: 'b', clicks: 12, alias: 'b' },
	];
	const report = async (...last: object[]) =>
		await runCode('weekly-click-report.json', 'Write the report', links, ...last);
	const [{ text } = {}] = await report({ link: 'a', clicks: 5 });
	expect(text).toBe(
		[
			'14 new clicks on 2 links, 1 of them new',
			'1. b: 12 new, 12 in all (b)',
			'2. A: 2 new, 7 in all (a)',
		].join('\n'),
	);
	const [first = {}] = await report({});
	expect(first.text).toMatch(/^19 new clicks on 2 links, 2 of them new\n/);
});

test('the nightly check keeps the rows that changed, and what is known of a code that was not checked', async () => {
	const known = { valid: true, reason: '', supported_until: '2030-01-01T00:00:00Z', problem: '' };
	const before = [1, 2, 3].map((id) => ({ id, code: `c${id}`, ...known }));
	const [, second, third] = before;
	const { problem: _problem, ...found } = known;
	const kept = await runCode(
		'nightly-purchase-check.json',
		'Keep what changed',
		[
			found,
			{ valid: false, reason: 'Invalid purchase code', supported_until: null },
			{ error: 'The store is down' },
		],
		...before,
	);
	expect(kept).toEqual([
		{ ...second, valid: false, reason: 'Invalid purchase code', supported_until: '' },
		{ ...third, problem: 'The store is down' },
	]);
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
