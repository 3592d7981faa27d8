import type { INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../../sandbox/dialects.ts';
import {
	Stage,
	idsOf,
	inContrastingDialects,
	largestPage,
	named,
	onStage,
	textOf,
} from '../helpers/support.ts';

/** So many links of the stage's account: their ids in the order of the service. */
async function linkIds(stage: Stage, count: number): Promise<number[]> {
	stage.sandbox.links.addLinks(stage.linkAccount.id, count);
	const { data } = await stage.api('GET /api/urls?limit=1');
	const [record] = (data as { urls: Array<{ id: unknown }> }).urls;
	const isNewestFirst = ['desc', 'links-desc'].includes(stage.dialect.listOrder);
	const step = isNewestFirst ? -1 : 1;
	return Array.from({ length: count }, (_, index) => Number(record?.id) + index * step);
}

const list = async (stage: Stage, parameters: INodeParameters) =>
	await stage.link('link.getAll', parameters);

inContrastingDialects((stage) => {
	const cap = largestPage(stage.dialect);
	/** Requests for so many records of a list that has more, or exactly as many, of them. */
	const requestsFor = (records: number, asked: number) => Math.ceil(records / Math.min(asked, cap));

	test.each([undefined, 25, 100, 101, 205])(
		'a limit of %p gives that many records, each once, and fetches no page too many',
		async (entered) => {
			const limit = entered ?? 50;
			const all = await linkIds(stage, 210);
			const result = await list(stage, entered === undefined ? {} : { limit });
			const asked = Math.min(limit, 100);
			expect(idsOf(result.json)).toEqual(all.slice(0, limit));
			expect(result.requests).toHaveLength(requestsFor(limit, asked));
			expect(new Set(result.requests.map(({ query }) => query.limit))).toEqual(
				new Set([String(asked)]),
			);
		},
	);

	test('Return All gives every record once, and fetches no page behind the last one', async () => {
		// A multiple of every page that a dialect has.
		const all = await linkIds(stage, 300);
		const result = await list(stage, { returnAll: true });
		expect(idsOf(result.json)).toEqual(all);
		expect(result.requests.map(({ query }) => query.page)).toEqual(
			Array.from({ length: requestsFor(300, 100) }, (_, index) => String(index + 1)),
		);
	});

	test.each([
		[0, { returnAll: true }],
		[0, { limit: 5 }],
		// As text, as an AI agent gives it.
		[3, { limit: '={{ "1000" }}' }],
		[3, { returnAll: '={{ "true" }}' }],
	])('a list of %i that ends on its first page is one request: %j', async (count, parameters) => {
		const all = count === 0 ? [] : await linkIds(stage, count);
		const result = await list(stage, parameters);
		expect(result.error).toBeUndefined();
		expect(idsOf(result.json)).toEqual(all);
		expect(result.requests).toHaveLength(1);
	});
});

/** Numbers of a page that are missing, or not what they seem. */
const ODD_NUMBERS: Array<Partial<Dialect>> = [
	{ pageNumbers: 'echoed', maxLimit: '25' },
	{ pageNumbers: 'few', maxLimit: '25', listOrder: 'asc' },
	{ pageNumbers: 'of-page', maxLimit: 'ignored' },
	{ pageNumbers: 'of-page', listOrder: 'asc' },
	{ pageNumbers: 'last-null', maxLimit: '7' },
	{ pageBeyond: 'first', listOrder: 'asc' },
];

describe.each(ODD_NUMBERS)('where a list is %j', (dialect) => {
	const stage = onStage(new Stage(dialect));

	test('all of 120 records come, each once, also in a dropdown; and each is found, also by name', async () => {
		const all = await linkIds(stage, 120);
		const { json: records } = await list(stage, { returnAll: true });
		expect(idsOf(records)).toEqual(all);

		let shown = await stage.search('searchLinks');
		const values = shown.results.map(({ value }) => value);
		while (shown.paginationToken !== undefined) {
			shown = await stage.search('searchLinks', { paginationToken: shown.paginationToken });
			values.push(...shown.results.map(({ value }) => value));
		}
		expect([...new Set<unknown>(values)]).toEqual(all);

		const rows = records.filter((_record, at) => at % 59 === 0);
		const linkId = named('alias', '={{ $json.alias }}');
		const byName = await stage.link('link.get', { linkId }, { rows });
		expect(idsOf(byName.json)).toEqual(idsOf(rows));
		for (const { id, alias } of rows) {
			const { results } = await stage.search('searchLinks', { filter: textOf(alias) });
			expect(results.map(({ value }) => value)).toContain(id);
		}
	});
});

test('members of tomorrow are handed on with their records, those of the response are not', async () => {
	await using stage = await Stage.opened();
	const urls = [{ id: '7', mood: 'good' }];
	const body = { error: 0, data: { result: 1, maxpage: 1, more: true, urls }, server: 'new' };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', status: 200, body });
	const { json } = await list(stage, { returnAll: true });
	expect(json).toEqual([{ id: 7, mood: 'good' }]);
});

test('a limit that the service refuses is left out, once by each run and by each dropdown', async () => {
	await using stage = await Stage.opened({ maxLimit: 'refused-above-50' });
	const all = await linkIds(stage, 40);
	const limits = [];
	for (let runs = 0; runs < 2; runs += 1) {
		const { json, requests } = await list(stage, { returnAll: true });
		expect(idsOf(json)).toEqual(all);
		limits.push(requests.map(({ query }) => query.limit));
	}
	const { results, requests } = await stage.search('searchLinks');
	expect(results).toHaveLength(15);
	limits.push(requests.map(({ query }) => query.limit));
	const ofRun = ['100', undefined, undefined, undefined];
	expect(limits).toEqual([ofRun, ofRun, ['100', undefined]]);
});
