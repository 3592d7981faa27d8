import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import { readExamples } from '../../n8n-host/instance.ts';
import { Stage, onStage } from '../helpers/support.ts';

/** What the nodes of examples make of sheets on n8n's engine; the whole workflows run in test/e2e. */

const stage = onStage(new Stage());

/** The rows of a CSV file whose cells are quoted, as Extract from File outputs them: without empty cells. */
function rowsIn(file: string): Array<Record<string, string>> {
	const [header = [], ...lines] = readFileSync(file, 'utf8')
		.replace(/^\uFEFF/, '')
		.trim()
		.split('\r\n')
		.map((line) => line.slice(1, -1).split('";"'));
	return lines.map((cells) =>
		Object.fromEntries(
			header.flatMap((name, at) => (cells[at] === '' ? [] : [[name, cells[at] ?? '']])),
		),
	);
}

async function upsert(file: string, rows: Array<Record<string, string>>) {
	const { nodes = [] } = (await readExamples()).get(file) ?? {};
	const node = nodes.find(({ parameters }) => parameters.operation === 'upsert');
	const settings = { onError: 'continueRegularOutput' as const };
	return await stage.link('link.upsert', node?.parameters as INodeParameters, { rows, settings });
}

test('the sheet beside sheet-in-sheet-out.json is read as people write it, and a second run changes nothing', async () => {
	const rows = rowsIn('examples/sheet-in-sheet-out.csv');
	const first = await upsert('sheet-in-sheet-out.json', rows);
	expect(first.json.map(({ outcome }) => outcome)).toEqual([
		'created',
		'created',
		'created',
		'failed',
	]);
	expect(first.json.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
	expect(first.json.slice(0, 2)).toMatchObject([
		{
			alias: 'fruehling',
			longurl: expect.stringContaining('/fr%C3%BChling?utm_source=') as unknown,
			qr_code: expect.stringContaining('/qr/') as unknown,
		},
		{ longurl: expect.stringMatching(/^https:\/\/www\.example\.com\//) as unknown },
	]);
	expect(first.json[3]?.error).toMatch(/htps/);

	// The alias and the tags of each row are in the list; an expiry is not, so that row is written again.
	const second = await upsert('sheet-in-sheet-out.json', rows);
	expect(second.json.map(({ outcome }) => outcome)).toEqual([
		'updated',
		'unchanged',
		'unchanged',
		'failed',
	]);
});

test('sheet-to-links-every-night.json writes only the row that has changed', async () => {
	const row = { alias: 'a', url: 'https://example.com/a', utm_source: 'newsletter' };
	const rows = [row, { ...row, alias: 'b' }];
	await upsert('sheet-to-links-every-night.json', rows);
	rows[1] = { ...row, alias: 'b', url: 'https://example.com/new' };
	const { json, requests } = await upsert('sheet-to-links-every-night.json', rows);
	expect(json.map(({ outcome }) => outcome)).toEqual(['unchanged', 'updated']);
	expect(requests.filter(({ request }) => !request.startsWith('GET'))).toHaveLength(1);
});
