import type { IDataObject } from 'n8n-workflow';

import {
	A_NUMBER,
	CONTINUE,
	like,
	onStage,
	outcomesIn,
	Stage,
	writesIn,
} from '../../helpers/support.ts';

/** A sheet that gets its results back every week: *Create or Update*, four weeks, as different services store rows. */

/** A cell as a sheet holds it. */
const cell = (value: unknown): string => {
	if (value === null || value === undefined) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
};

/** All columns, as text. */
const asText = (row: IDataObject, columns: readonly string[]): IDataObject =>
	Object.fromEntries(columns.map((name) => [name, cell(row[name])]));

/** How a service stores what the node gave, and gives it back. */
const STORES: Record<string, typeof asText> = {
	'Google Sheets': asText,
	/** No empty cell. */
	Airtable: (row) =>
		Object.fromEntries(Object.entries(row).filter(([, value]) => cell(value) !== '')),
};

/** A row whose mistake somebody corrected. */
const corrected = (row: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name,
			value === 'example dot com' ? 'https://example.com/two' : value,
		]),
	);

describe.each(Object.entries(STORES))('a sheet in %s', (_name, stored) => {
	const stage = onStage(new Stage());

	/** The rows of the next week: columns that no row had are added behind the others. */
	async function aWeek(rows: IDataObject[]) {
		const result = await stage.link(
			'link.upsert',
			{ mappingMode: 'autoMapInputData', additionalFields: { createQrCode: true } },
			{ rows, settings: CONTINUE },
		);
		const { json } = result;
		const columns = [...new Set([...rows, ...json].flatMap((row) => Object.keys(row)))];
		const next = json.map((row) => stored(row, columns));
		return { json, next, outcomes: outcomesIn(result), writes: writesIn(result) };
	}

	test('is the same after four weeks, but for what changed', async () => {
		const kept = { date: '2026-01-02', status: 'running' };
		const own = { ...kept, id: 'A-7', clicks: 'about ten' };
		const beside = { input_id: 'A-7', input_clicks: 'about ten' };
		const first = await aWeek([
			{ URL: 'https://example.com/one', Alias: stage.unique('one'), outcome: '', ...own },
			{ URL: 'example dot com', Alias: stage.unique('two'), outcome: '', ...own },
		]);
		expect(first.json).toMatchObject([
			{ ...kept, outcome: 'created', id: A_NUMBER, qr_code: like(/^http/), ...beside },
			{ ...own, outcome: 'failed', error: like(/must be a web address/) },
		]);
		const second = await aWeek(first.next.map(corrected));
		expect(second.json).toMatchObject([
			{ ...kept, outcome: 'unchanged', ...beside },
			{ ...kept, outcome: 'created', shorturl: like(/two/), qr_code: like(/^http/) },
		]);
		expect(second.json[1]).not.toHaveProperty('error');
		const third = await aWeek(second.next);
		const fourth = await aWeek(third.next);
		expect([third.writes, fourth.writes]).toEqual([[], []]);
		expect(fourth.next).toEqual(third.next);
		expect(third.outcomes).toEqual(['unchanged', 'unchanged']);
		const columns = ['shorturl', 'qr_code', 'qr_code_id', 'id', 'date', 'clicks'];
		const keptIn = ({ json }: typeof third) => json.map((row) => asText(row, columns));
		expect(keptIn(third)).toEqual(keptIn(second));
	});
});
