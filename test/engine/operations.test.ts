import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	FIRST_PAGE,
	column,
	idColumn,
	idOf,
	ofRow,
	outputOf,
	recordsOf,
	serial,
	webAddress,
} from './operationSample.ts';
import type { OperationSample } from './operationSamples.ts';
import { OPERATION_SAMPLES, runSample } from './operationSamples.ts';
import { newLink, visitedLink } from './operations/link.ts';
import { newPurchase } from './operations/store.ts';
import type { Sent } from './support.ts';
import { Stage, byId, inDrawnDialects, inEveryDialect, onStage, pairs } from './support.ts';

/** Every row of the tables in `operations`, run by n8n's engine in every dialect. */

const ROWS = 2;

type Shown = Omit<OperationSample, 'rows' | 'kind' | 'written'>;

/** The requests for a row, their paths filled from its columns. */
function requestsFor(stage: Stage, sample: Shown, row: IDataObject): Sent[] {
	const filled = (request: string) =>
		request.replace(/:(\w+)/g, (_whole, name: string) => (row[name] as string).toString());
	const asked = sample.asks === undefined ? [] : [stage.expected('link', filled(sample.asks))];
	const body = ofRow(sample.body, row, stage);
	const query = ofRow(sample.query, row, stage) ?? {};
	return [...asked, stage.expected(sample.node, filled(sample.request), { body, query })];
}

function expectAll(actual: unknown[], wanted: unknown[], inOrder: boolean): void {
	expect(actual).toEqual(inOrder ? wanted : expect.arrayContaining(wanted));
	expect(actual).toHaveLength(wanted.length);
}

/** A table of them has no holes: a member that is undefined is no column. */
function expectSameColumns(json: IDataObject[]): void {
	const columns = json.map((item) =>
		Object.keys(JSON.parse(JSON.stringify(item)) as object).sort(),
	);
	expect(columns).toEqual(columns.map(() => columns[0]));
}

/** Runs it, and compares every request and every item. */
async function show(
	stage: Stage,
	sample: Shown,
	settings: { rows: IDataObject[]; credential?: IDataObject },
	{ anyOrder }: { anyOrder: boolean },
): Promise<IDataObject[]> {
	const { rows } = settings;
	const result = await runSample(stage, sample, settings);
	expect(result.error).toBeUndefined();
	const outputs = rows.map((row) => outputOf(sample, row, stage));
	// Where dates go back, the order of a list is not that of its making.
	expectAll(result.json, outputs.flat(), stage.dialect.dates === 'forward');
	expectSameColumns(result.json);
	expect(pairs(result)).toEqual(outputs.flatMap((items, item) => items.map(() => ({ item }))));
	const { looksIn = [] } = sample;
	const looked = looksIn.map((list) => stage.expected('link', list, { query: FIRST_PAGE }));
	const requests = [...looked, ...rows.flatMap((row) => requestsFor(stage, sample, row))];
	expectAll(result.requests, requests, !anyOrder);
	return result.json;
}

function runEveryOperation(stage: Stage): void {
	describe.each(OPERATION_SAMPLES)('$node $name', (sample) => {
		// Reads are under way at the same time.
		const anyOrder = sample.kind === 'read' || sample.kind === 'list';

		test('sends what the document says for each row, and gives what came of it', async () => {
			const made = await sample.rows(stage, ROWS);
			const rows = sample.kind === 'list' ? [...made, ...made] : made;
			const json = await show(stage, sample, { rows }, { anyOrder });
			if ('written' in sample) expect(await sample.written(stage, rows)).toBe(rows.length);
			if (!sample.name.endsWith('.create')) return;
			// Made in the order of the rows.
			const ids = json.map(({ id }) => Number(id));
			expect(ids).toEqual(ids.map((_id, index) => Number(ids[0]) + index));
		});

		for (const { title, rows, credential = {}, then, ...differing } of sample.examples ?? []) {
			test(title, async () => {
				const parameters = { ...sample.parameters, ...differing.parameters };
				const made = rows instanceof Function ? await rows(stage) : rows;
				const given = { rows: made ?? (await sample.rows(stage, 1)), credential };
				const json = await show(stage, { ...sample, ...differing, parameters }, given, {
					anyOrder,
				});
				await then?.(stage, json, given.rows);
			});
		}
	});
}

inEveryDialect(runEveryOperation);
inDrawnDialects(runEveryOperation);

interface Mixed {
	parameters: INodeParameters;
	rows: (stage: Stage) => Promise<IDataObject[]>;
}

const url = webAddress();
const keep = { matchBy: column('by'), ifExists: column('then') };

/** The rows with the ids that the list has: a service may not say them. */
async function withIds(stage: Stage, rows: IDataObject[]): Promise<IDataObject[]> {
	const ids = (await recordsOf(stage, '/api/urls')).map(idOf);
	return rows.map((row, at) => ({ ...row, id: ids[at] }));
}

/** Rows that fill different fields, or come out differently. */
const MIXED: Record<string, Mixed> = {
	'link.create': {
		parameters: {
			url,
			customAlias: column('custom'),
			additionalFields: { metaTitle: column('title'), createQrCode: column('code') },
		},
		rows: async () =>
			await Promise.resolve([{}, { custom: `x-${serial()}` }, { title: 'x', code: true }]),
	},
	'link.getStatistics': {
		parameters: { linkId: idColumn('id') },
		rows: async (stage) => await withIds(stage, [await visitedLink(stage), await newLink(stage)]),
	},
	'link.update': {
		parameters: {
			linkId: idColumn('id'),
			updateFields: { url: column('to'), customAlias: column('custom'), metaTitle: 'x' },
		},
		async rows(stage) {
			const made = await withIds(stage, [await newLink(stage), await newLink(stage)]);
			return made.map(({ id }, at) => ({
				id,
				...(at === 0 ? { custom: `x-${serial()}` } : { to: url }),
			}));
		},
	},
	'link.upsert': {
		parameters: { url: column('url'), customAlias: column('custom'), ...keep },
		async rows(stage) {
			const [kept, other] = [await newLink(stage), await newLink(stage)];
			const [by, then] = ['alias', 'update'];
			return [
				{ ...kept, by, then: 'keep' },
				{ ...other, url, by, then },
				{ url: webAddress(), custom: `x-${serial()}`, by, then },
				{ url: webAddress(), by: 'longUrl', then },
			];
		},
	},
	'qrCode.create': {
		parameters: { qrType: 'text', text: 'x', options: { includeImage: column('picture') } },
		rows: async () => await Promise.resolve([{ picture: true }, { picture: false }, {}]),
	},
	'purchase.validate': {
		parameters: {
			purchaseCode: column('code'),
			options: { onBlank: 'invalid', expectedItemId: column('item') },
		},
		rows: async (stage) =>
			await Promise.resolve([
				newPurchase(stage, 10),
				{ ...newPurchase(stage, null), item: 1 },
				{ code: 'never-sold', item: 1 },
				{ code: '' },
			]),
	},
};

function runMixedRows(stage: Stage): void {
	test.each(Object.entries(MIXED))('rows of %s have the same columns', async (name, mixed) => {
		const node = name === 'purchase.validate' ? 'store' : 'link';
		const rows = await mixed.rows(stage);
		const { json, error } = await stage[node](name, mixed.parameters, { rows });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(1);
		expectSameColumns(json);
	});
}

inEveryDialect(runMixedRows);
describe.each(['nested', 'without-id', 'short_url'] as const)(
	'where links are answered %s',
	(linkAnswer) => {
		runMixedRows(onStage(new Stage({ linkAnswer })));
	},
);

describe('where the service writes pages in another way', () => {
	const stage = onStage(new Stage({ pageReference: 'prefixed' }));

	test('the format of the ID of a splash page can be set', async () => {
		const splash = stage.sandbox.links.addSplashPage(stage.linkAccount.id, 'Wait');
		const { json, requests } = await stage.link('link.create', {
			url: 'https://example.com/',
			redirectType: 'customSplash',
			splashPageId: byId(splash),
			additionalFields: { pageIdFormat: 'splash-*' },
		});
		expect(requests).toMatchObject([{ body: { type: `splash-${splash}` } }]);
		expect(json).toHaveLength(1);
	});
});
