import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	A_NUMBER,
	like,
	newDomain,
	outcomesIn,
	recordsOf,
	Stage,
	textOf,
	writesIn,
} from '../../helpers/support.ts';
import { seeded } from '../../../seeds.ts';
import { type Settings, sheet, SHARED, storedLink, url } from './sheet.ts';

/** A sheet that is run every night, its results written back: no link is lost, doubled or on a wrong host. */

const DIALECTS: Settings[] = [
	{},
	{ aliases: 'per-domain', readsShort: 'no' },
	{ aliases: 'per-domain', aliasForm: 'as-sent', linkUpdate: 'merges', createReadsPlaces: 'no' },
	{ sameUrl: 'existing', maxLimit: '7' },
];
const MAINS = ['api', 'other'] as const;
const CASES = DIALECTS.flatMap((dialect) =>
	MAINS.map((mainDomain): Settings => ({ ...dialect, mainDomain, sharedDomains: 'unlisted' })),
);

/** Only the service knows that an alias is taken on another domain, or that it keeps one link for each URL. */
const isRefused = ({ error }: IDataObject): boolean =>
	typeof error === 'string' && /taken|older link/.test(error);

/** Three nights. *Dry Run* says before each what then happens. @returns the rows of the last night */
async function threeNights(stage: Stage, rows: IDataObject[]): Promise<IDataObject[]> {
	const isElsewhere = stage.dialect.mainDomain === 'other';
	const main = isElsewhere ? 'https://main.example.net' : stage.sandbox.linkUrl;
	const settings = { credential: isElsewhere ? { shortDomain: 'main.example.net' } : {} };
	let written = rows;
	let before: unknown;
	for (const night of [1, 2, 3]) {
		const dry = await sheet(stage, written, { options: { dryRun: true } }, settings);
		expect(writesIn(dry)).toEqual([]);
		const real = await sheet(stage, written, {}, settings);
		const said = outcomesIn(dry).map((outcome) => textOf(outcome).replace('would be ', ''));
		for (const [n, row] of real.json.entries()) {
			if (isRefused(row)) continue;
			expect([night, n, said[n]]).toEqual([night, n, row.outcome]);
			if (row.outcome === 'failed') continue;
			expect(textOf(row.shorturl).startsWith(`${textOf(rows[n]?.domain ?? main)}/`)).toBe(true);
			expect(storedLink(stage, row.id).longurl).toBe(rows[n]?.url);
		}
		const links = await recordsOf(stage, '/api/urls');
		if (night > 1) expect(links).toEqual(before);
		before = links;
		written = real.json;
	}
	return written;
}

const ROWS = fc.array(
	fc.record(
		{
			url: fc.constantFrom('a', 'b', 'c').map((page) => `${url}${page}`),
			alias: fc.constantFrom('spring sale', 'spring-sale', 'Spring_Sale', 'menu'),
			domain: fc.constantFrom('BRANDED', SHARED),
			title: fc.constantFrom('One', 'Two'),
		},
		{ requiredKeys: ['url'] },
	),
	{ minLength: 1, maxLength: 6 },
);

test.each(CASES)(
	'any sheet, where %j',
	async (dialect) => {
		await using stage = await Stage.opened(dialect);
		const property = fc.asyncProperty(ROWS, async (drawn) => {
			stage.enter();
			const branded = await newDomain(stage);
			await threeNights(
				stage,
				drawn.map((row) => ({
					...row,
					...(row.alias === undefined ? {} : { alias: stage.unique(row.alias) }),
					...(row.domain === 'BRANDED' ? { domain: branded } : {}),
				})),
			);
		});
		await fc.assert(property, seeded(4));
	},
	600_000,
);

test.each(MAINS)(
	'40 rows over the own host, a branded and a shared domain: %s',
	async (mainDomain) => {
		await using stage = await Stage.opened({ mainDomain, sharedDomains: 'unlisted' });
		const hosts = [{}, { domain: await newDomain(stage) }, { domain: SHARED }];
		const rows = Array.from({ length: 40 }, (_, n) => ({
			url: `${url}${n}`,
			...(n % 4 === 0 ? {} : { alias: `row_${n}` }),
			...hosts[n % 3],
		}));
		const last = await threeNights(stage, rows);
		expect(last.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'unchanged'));
	},
);

/** A cell as a sheet holds it. */
const cell = (value: unknown): string => {
	if (value === null || value === undefined) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
};

/** How a service stores what the node gave, and gives it back. */
const STORES: Record<string, (row: IDataObject, columns: Set<string>) => IDataObject> = {
	'Google Sheets, as text in all columns': (row, columns) =>
		Object.fromEntries([...columns].map((name) => [name, cell(row[name])])),
	'Airtable, without empty cells': (row) =>
		Object.fromEntries(Object.entries(row).filter(([, value]) => cell(value) !== '')),
};

test.each(Object.entries(STORES))(
	'a sheet in %s is the same after four weeks, except for what changed',
	async (_name, stored) => {
		await using stage = await Stage.opened();
		/** The rows of the next week: columns that no row had are added behind the others. */
		const aWeek = async (rows: IDataObject[]) => {
			const result = await sheet(stage, rows, { additionalFields: { createQrCode: true } });
			const columns = new Set([...rows, ...result.json].flatMap((row) => Object.keys(row)));
			return { ...result, next: result.json.map((row) => stored(row, columns)) };
		};
		const kept = { date: '2026-01-02', status: 'running' };
		const own = { ...kept, id: 'A-7', clicks: 'about ten' };
		const beside = { ...kept, input_id: 'A-7', input_clicks: 'about ten', qr_code: like(/^http/) };
		const first = await aWeek([
			{ URL: `${url}one`, Alias: 'one', outcome: '', ...own },
			{ URL: 'example dot com', Alias: 'two', outcome: '', ...own },
		]);
		expect(first.json).toMatchObject([
			{ outcome: 'created', id: A_NUMBER, ...beside },
			{ ...own, outcome: 'failed', error: like(/must be a web address/) },
		]);
		const [one = {}, two = {}] = first.next;
		const second = await aWeek([one, { ...two, URL: `${url}two` }]);
		expect(second.json).toMatchObject([
			{ outcome: 'unchanged', ...beside },
			{ outcome: 'created', shorturl: like(/two/), ...kept, qr_code: like(/^http/) },
		]);
		expect(second.json[1]).not.toHaveProperty('error');
		const third = await aWeek(second.next);
		const fourth = await aWeek(third.next);
		expect([...writesIn(third), ...writesIn(fourth)]).toEqual([]);
		expect(outcomesIn(third)).toEqual(['unchanged', 'unchanged']);
		expect(fourth.next).toEqual(third.next);
		const columns = new Set(['shorturl', 'qr_code', 'qr_code_id', 'id', 'date', 'clicks']);
		const cellsIn = ({ json }: typeof third) =>
			json.map((row) => [...columns].map((name) => cell(row[name])));
		expect(cellsIn(third)).toEqual(cellsIn(second));
	},
);
