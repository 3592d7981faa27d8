import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../../sandbox/dialects.ts';
import { FIXTURES } from '../../fixtures.ts';
import { prepare, runFixture } from '../helpers/fixture.ts';
import {
	idsOf,
	inContrastingDialects,
	largestPage,
	named,
	onStage,
	Stage,
	textOf,
} from '../helpers/support.ts';

/** Which records of a list come, in how many requests: limits, pages and filters. */

const LISTS = FIXTURES.filter(({ records }) => records);

/** So many links of the stage's account: their ids in the order of the service. */
async function linkIds(stage: Stage, count: number): Promise<number[]> {
	stage.sandbox.links.addLinks(stage.linkAccount.id, count);
	const { data } = await stage.api('GET /api/urls?limit=1');
	const [record] = (data as { urls: Array<{ id: unknown }> }).urls;
	const isNewestFirst = ['desc', 'links-desc'].includes(stage.dialect.listOrder);
	const step = isNewestFirst ? -1 : 1;
	return Array.from({ length: count }, (_, index) => Number(record?.id) + index * step);
}

const list = async (stage: Stage, parameters: INodeParameters, credential: IDataObject = {}) =>
	await stage.link('link.getAll', parameters, { credential });

/** The member that names a record for people. */
const nameOf = (record: IDataObject): string => {
	const member = ['alias', 'domain', 'title', 'link', 'name'].find((each) => each in record);
	return textOf(record[member ?? '']);
};

inContrastingDialects((stage) => {
	const cap = largestPage(stage.dialect);
	const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));

	test.each<[present: number, parameters: INodeParameters, records: number, asked: number]>([
		[210, {}, 50, 50],
		[210, { limit: 25 }, 25, 25],
		[210, { limit: 100 }, 100, 100],
		[210, { limit: 101 }, 101, 100],
		[210, { limit: 205 }, 205, 100],
		// A multiple of every page that a dialect has.
		[300, { returnAll: true }, 300, 100],
		[1, { returnAll: true }, 1, 100],
		// As text, as an AI agent gives it.
		[3, { limit: '={{ "1000" }}' }, 3, 100],
		[3, { returnAll: '={{ "true" }}' }, 3, 100],
	])('of %i records, %j gives %i, each once, and no page too many', async (...each) => {
		const [present, parameters, records, asked] = each;
		const all = await linkIds(stage, present);
		const { json, requests, error } = await list(stage, parameters);
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(all.slice(0, records));
		const pages = numbers(Math.ceil(records / Math.min(asked, cap)));
		expect(requests.map(({ query }) => [query.limit, query.page])).toEqual(
			pages.map((page) => [String(asked), page]),
		);
	});

	test('an empty list is one request', async () => {
		const { json, requests } = await list(stage, { returnAll: true });
		expect([json, requests.length]).toEqual([[], 1]);
	});

	test.each(LISTS)('$node $name finds records by a text, in any case', async (fixture) => {
		const { rows } = await prepare(stage, fixture, 3);
		const searched = async (search: string) => {
			const parameters = { ...fixture.parameters, filters: { search } };
			const { json, error } = await runFixture(stage, { ...fixture, parameters }, { rows });
			expect(error).toBeUndefined();
			return json;
		};
		const all = await searched('');
		const search = nameOf(all[1] ?? {});
		const found = all.filter((record) => nameOf(record).includes(search));
		expect(await searched(` ${search.toUpperCase()}`)).toEqual(found);
		expect(found.length).toBeGreaterThan(0);
		expect(await searched('in no record')).toEqual([]);
	});

	test('a link is found by its address as a person writes it, also in a dropdown', async () => {
		await stage.link('link.create', { url: 'https://example.com/Größe XL' });
		const { json } = await list(stage, { filters: { search: 'größe xl' } });
		const { results } = await stage.search('searchLinks', { filter: 'größe xl' });
		expect([json, results]).toEqual([[expect.anything()], [expect.anything()]]);
	});

	test('a filtered list is read in large pages until the limit is reached, or to its end', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 210);
		const { json: all } = await list(stage, { returnAll: true });
		const filters = { search: textOf(all[104]?.title) };
		for (const [limit, read] of [
			[1, 105],
			[2, 210],
		] as const) {
			const { json, requests } = await list(stage, { limit, filters });
			expect(json).toEqual([all[104]]);
			expect(requests).toHaveLength(Math.ceil(read / cap));
		}
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

test.each(ODD_NUMBERS)(
	'where a list is %j, all of 120 records come, each once, also in a dropdown; and each is found, also by name',
	async (dialect) => {
		await using stage = await Stage.opened(dialect);
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
	},
);

test('members of tomorrow are handed on with their records, those of the response are not', async () => {
	await using stage = await Stage.opened();
	const urls = [{ id: '7', mood: 'good' }];
	const body = { error: 0, data: { result: 1, maxpage: 1, more: true, urls }, server: 'new' };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', status: 200, body });
	const { json } = await list(stage, { returnAll: true });
	expect(json).toEqual([{ id: 7, mood: 'good' }]);
});

test('a limit that the service refuses is left out, once by each run and by each dropdown', async () => {
	await using stage = await Stage.opened();
	const query = { limit: '100' };
	const body = { error: 1, message: 'limit must not be greater than 50.' };
	stage.sandbox.faults.add({ kind: 'respond', path: '/api/urls', query, body, times: 9 });
	const all = await linkIds(stage, 40);
	const limitsIn = ({ requests }: { requests: Array<{ query: Record<string, unknown> }> }) =>
		requests.map(({ query }) => query.limit);
	for (let runs = 0; runs < 2; runs += 1) {
		const result = await list(stage, { returnAll: true });
		expect(idsOf(result.json)).toEqual(all);
		expect(limitsIn(result)).toEqual(['100', undefined, undefined, undefined]);
	}
	const shown = await stage.search('searchLinks');
	expect([shown.results.length, limitsIn(shown)]).toEqual([15, ['100', undefined]]);
});

describe('Created After', () => {
	const made = Date.UTC(2030, 0, 10);
	const stage = onStage(new Stage({}, { clock: () => made }));
	const titles = ({ json }: { json: IDataObject[] }) => json.map(({ title }) => title).toSorted();

	test.each<[createdAfter: string, articles: number[], timezone?: string]>([
		['2030-01-09 23:00:00', [2, 3]],
		['2030-01-09T22:30:00Z', [2, 3]],
		["={{ DateTime.fromISO('2030-01-09T23:30:00Z') }}", [3]],
		['2030-01-09 22:00:00', [2, 3], 'Europe/Berlin'],
		['={{ null }}', [1, 2, 3]],
	])('%s finds the links %j', async (createdAfter, articles, timezone = 'UTC') => {
		// An hour lies between one and the next; the third was made at midnight.
		stage.sandbox.links.addLinks(stage.linkAccount.id, 3, 3600);
		const found = await list(stage, { filters: { createdAfter } }, { timezone });
		expect(found.error).toBeUndefined();
		expect(titles(found)).toEqual(articles.map((number) => `Article ${number}`));
	});

	test.each([
		['desc', '', 1],
		['desc', 'date', 1],
		['desc', 'click', 3],
		['asc', '', 3],
	] as const)('in 250 links that come %s, sorted by "%s", reads %i pages', async (...each) => {
		const [listOrder, order, pages] = each;
		await using other = await Stage.opened({ listOrder, maxLimit: '100' }, { clock: () => made });
		other.sandbox.links.addLinks(other.linkAccount.id, 250, 3600);
		const filters = { createdAfter: '2030-01-09 23:00:00' };
		const found = await list(other, { filters, returnAll: true, options: { order } });
		expect(titles(found)).toEqual(['Article 249', 'Article 250']);
		expect(found.requests).toHaveLength(pages);
	});
});
