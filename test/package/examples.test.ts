import { Script } from 'node:vm';

import { isRecord, record } from '../n8n-host/json.ts';
import { readExamples } from '../n8n-host/instance.ts';
import { presentParameters } from '../savedParameters.ts';

/** What can be told of an example without n8n; the whole workflows run in test/e2e. */

const PARAMETERS = presentParameters();
const NAMES_OF_N8N = ['resource', 'operation', 'pollTimes', 'descriptionType', 'toolDescription'];

/** `options.order` for what a node of an example sets and the node does not have. */
function unknownIn(values: unknown, known: readonly string[], path = ''): string[] {
	return Object.entries(record(values)).flatMap(([name, value]) => {
		const full = `${path}${name}`;
		const isCollection = known.some((each) => each.startsWith(`${full}.`));
		if (isCollection && isRecord(value)) return unknownIn(value, known, `${full}.`);
		return isCollection || known.includes(full) ? [] : [full];
	});
}

test('examples set no parameter that their node does not have', async () => {
	for (const [file, { nodes }] of await readExamples()) {
		for (const { type, name, parameters } of nodes) {
			const [, own] = /^n8n-nodes-linkstore\.(\w+?)(?:Tool)?$/.exec(type) ?? [];
			if (own === undefined) continue;
			const { resource, operation } = record(parameters);
			const operations = PARAMETERS[own] ?? {};
			const known = operations[`${String(resource)}.${String(operation)}`] ?? operations[own];
			const unknown = unknownIn(parameters, [...Object.keys(known ?? {}), ...NAMES_OF_N8N]);
			expect([file, name, unknown]).toEqual([file, name, []]);
		}
	}
});

/** Runs a Code node of the example of a form on rows. */
async function runCode(node: string, rows: object[]) {
	const { nodes = [] } = (await readExamples()).get('sheet-in-sheet-out.json') ?? {};
	const { jsCode } = record(nodes.find(({ name }) => name === node)?.parameters);
	const items = rows.map((json) => ({ json }));
	const run = new Script(`(($input, $) => {${String(jsCode)}})`).runInThisContext() as (
		input: object,
		$: (node: string) => object,
	) => Array<{ json: Record<string, unknown> }>;
	const nodeBefore = () => ({ first: () => ({ binary: { Sheet: {} } }) });
	return run({ all: () => items, first: () => items[0] }, nodeBefore).map(({ json }) => json);
}

describe('the sheet that the example of a form returns', () => {
	const safe = async (...rows: object[]) => await runCode('Make cells safe', rows);

	test.each(['=1+1', '+A1', '-1+1', '@SUM(A1)', '\t=1', '\r=1'])(
		'has no formula %j',
		async (formula) => {
			const others = { title: 'a=b', change: '-5,5 %' };
			const rows = await safe({ url: formula, error: formula, [formula]: 'x', ...others });
			const quoted = `'${formula}`;
			expect(rows).toMatchObject([{ url: quoted, error: quoted, [quoted]: 'x', ...others }]);
		},
	);

	test('has a web address as its short URL, or nothing', async () => {
		const links = ['https://go.example.com/a', 'javascript:alert(1)', '=1', null, undefined];
		const rows = await safe(...links.map((shorturl) => ({ shorturl })));
		expect(rows.map(({ shorturl }) => shorturl)).toEqual([links[0], '', '', '', '']);
	});

	test('can be uploaded again', async () => {
		const row = { '=a': '-20% off', '@b': "'single'", url: 'https://a.example' };
		expect(await runCode('Check the sheet', await safe(row))).toMatchObject([row]);
	});

	test.each([
		[',', 'url,alias\r\nhttps://a.example/x;y;z,a'],
		[';', '"url";"alias, or blank, or none"\nhttps://a.example;a'],
		['\t', 'url\talias\ttitle\rhttps://a.example\ta\tA, B; C, D'],
		[',', 'url\nhttps://a.example/x;y'],
		['|', '\ufeffsep=|\r\nurl|alias', 2],
	])('has %j between its columns, as the file %j', async (separator, text, firstLine = 1) => {
		const rows = await runCode('Find the separator', [{ text, Sheet: 'sheet.csv' }]);
		expect(rows).toEqual([{ Sheet: 'sheet.csv', separator, firstLine, encoding: 'utf8' }]);
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
