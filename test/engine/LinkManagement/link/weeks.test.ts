import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { like, onStage, Stage } from '../../helpers/support.ts';

/** A sheet that gets its results back every week: *Create or Update*, four weeks, as different services store rows. */

const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** A cell as a sheet holds it. */
const cell = (value: unknown): string =>
	typeof value === 'string'
		? value
		: value === null || value === undefined
			? ''
			: JSON.stringify(value);

/** How a service stores what the node gave, and gives it back. */
const STORES: Record<string, (row: IDataObject, columns: readonly string[]) => IDataObject> = {
	/** Every column, all as text. */
	'Google Sheets': (row, columns) =>
		Object.fromEntries(columns.map((name) => [name, cell(row[name])])),
	/** No empty cell. */
	Airtable: (row) =>
		Object.fromEntries(Object.entries(row).filter(([, value]) => cell(value) !== '')),
	/** Text, and a byte order mark before the first column. */
	'a CSV file': (row, columns) =>
		Object.fromEntries(
			columns.map((name, at) => [
				at === 0 ? `\ufeff${name.replace('\ufeff', '')}` : name,
				cell(row[name]),
			]),
		),
};

/** A row whose mistake somebody corrected. */
const replaced = (row: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name,
			value === 'example dot com' ? 'https://example.com/two' : value,
		]),
	);

describe.each(Object.entries(STORES))('a sheet in %s', (_name, stored) => {
	const stage = onStage(new Stage());

	/** The rows of the next week: columns that no row had are added behind the others. */
	async function aWeek(rows: IDataObject[], additionalFields: INodeParameters) {
		const parameters = { mappingMode: 'autoMapInputData', additionalFields };
		const { json, requests } = await stage.link('link.upsert', parameters, {
			rows,
			settings: CONTINUE,
		});
		const columns = [...new Set([...rows, ...json].flatMap((row) => Object.keys(row)))];
		const isWrite = ({ request }: { request: string }) => !request.startsWith('GET ');
		return {
			json,
			next: json.map((row) => stored(row, columns)),
			writes: requests.filter(isWrite).length,
		};
	}

	test('is the same after four weeks, but for what changed', async () => {
		const own = { id: 'A-7', date: '2026-01-02', status: 'running', clicks: 'about ten' };
		const rows = [
			{ URL: 'https://example.com/one', Alias: stage.unique('one'), outcome: '', ...own },
			{ URL: 'example dot com', Alias: stage.unique('two'), outcome: '', ...own },
		];
		const fields = { createQrCode: true };
		const first = await aWeek(rows, fields);
		expect(first.json).toMatchObject([
			{
				...own,
				outcome: 'created',
				link_id: expect.any(Number) as unknown,
				qr_code: like(/^http/),
			},
			{ ...own, outcome: 'failed', error: like(/must be a web address/) },
		]);
		const corrected = first.next.map((row) => stored(replaced(row), Object.keys(row)));
		const second = await aWeek(corrected, fields);
		expect(second.json).toMatchObject([
			{ ...own, outcome: 'unchanged' },
			{ ...own, outcome: 'created', shorturl: like(/two/), qr_code: like(/^http/) },
		]);
		expect(second.json[1]).not.toHaveProperty('error');
		const third = await aWeek(second.next, fields);
		const fourth = await aWeek(third.next, fields);
		expect([third.writes, fourth.writes]).toEqual([0, 0]);
		expect(fourth.next).toEqual(third.next);
		expect(third.json.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
		const kept = ['link_id', 'shorturl', 'qr_code', 'qr_code_id', 'id', 'date', 'clicks'];
		for (const name of kept)
			expect([name, ...third.json.map((row) => cell(row[name]))]).toEqual([
				name,
				...second.json.map((row) => cell(row[name])),
			]);
	});
});
