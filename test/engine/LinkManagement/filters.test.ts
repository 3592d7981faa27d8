import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { FIXTURES } from '../../fixtures.ts';
import { prepare, runFixture } from '../helpers/fixture.ts';
import type { StageResult } from '../helpers/support.ts';
import { Stage, inContrastingDialects, largestPage, onStage, textOf } from '../helpers/support.ts';

/** What the filters of lists let through, and what that costs. */

const LISTS = FIXTURES.filter(({ kind }) => kind === 'list');

const titles = ({ json }: StageResult): unknown[] => json.map(({ title }) => title).toSorted();

/** The member that names a record for people. */
const nameOf = (record: IDataObject): string => {
	const member = ['alias', 'domain', 'title', 'link', 'name'].find((each) => each in record);
	return textOf(record[member ?? '']);
};

const linksOf = async (
	stage: Stage,
	filters: INodeParameters,
	parameters: INodeParameters = { returnAll: true },
	credential: IDataObject = {},
) => await stage.link('link.getAll', { ...parameters, filters }, { credential });

inContrastingDialects((stage) => {
	test.each(LISTS)('$node $name finds records by a text, in any case', async (fixture) => {
		const { rows } = await prepare(stage, fixture, 3);
		const { parameters } = fixture;
		const searched = async (search: string) =>
			await runFixture(
				stage,
				{ ...fixture, parameters: { ...parameters, filters: { search } } },
				{ rows },
			);
		const all = (await runFixture(stage, fixture, { rows })).json;
		const search = nameOf(all[1] ?? {});
		const { json } = await searched(` ${search.toUpperCase()}`);
		expect(json).toEqual(all.filter((record) => nameOf(record).includes(search)));
		expect(json.length).toBeGreaterThan(0);
		const nothing = await searched('in no record');
		expect([nothing.json, nothing.error]).toEqual([[], undefined]);
		expect((await searched('')).json).toEqual(all);
	});

	test('a link is found by its address as a person writes it, also in a dropdown', async () => {
		await stage.link('link.create', { url: 'https://example.com/Größe XL' });
		const { json } = await linksOf(stage, { search: 'größe xl' });
		const { results } = await stage.search('searchLinks', { filter: 'größe xl' });
		expect([json, results]).toEqual([[expect.anything()], [expect.anything()]]);
	});

	test('a filtered list is read in large pages until the limit is reached, or to its end', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 210);
		const perPage = largestPage(stage.dialect);
		const { json: all } = await linksOf(stage, {});
		const search = textOf(all[104]?.title);
		const found = await linksOf(stage, { search }, { limit: 1 });
		expect(found.json).toEqual([all[104]]);
		expect(found.requests).toHaveLength(Math.ceil(105 / perPage));
		const atEnd = await linksOf(stage, { search }, { limit: 2, options: { order: 'click' } });
		expect(atEnd.json).toEqual(found.json);
		expect(atEnd.requests).toHaveLength(Math.ceil(210 / perPage));
		const asked = [...found.requests, ...atEnd.requests].map(({ query }) => query.limit);
		expect(new Set(asked)).toEqual(new Set(['100']));
	});
});

const made = Date.UTC(2030, 0, 10);
const stage = onStage(new Stage({}, { clock: () => made }));

test.each<[string, INodeParameters, number[], timezone?: string]>([
	['from one time on', { createdAfter: '2030-01-09 23:00:00' }, [2, 3]],
	['with a zone', { createdAfter: '2030-01-09T22:30:00Z' }, [2, 3]],
	['of Luxon', { createdAfter: "={{ DateTime.fromISO('2030-01-09T23:30:00Z') }}" }, [3]],
	['in the zone of the workflow', { createdAfter: '2030-01-09 22:00:00' }, [2, 3], 'Europe/Berlin'],
	['that are not given', { createdAfter: '={{ null }}' }, [1, 2, 3]],
])('links are found by times %s', async (_what, filters, articles, timezone = 'UTC') => {
	// An hour lies between one and the next; the third was made at midnight.
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3, 3600);
	const found = await linksOf(stage, filters, {}, { timezone });
	expect(found.error).toBeUndefined();
	expect(titles(found)).toEqual(articles.map((number) => `Article ${number}`));
});

test.each([
	['desc', '', 1],
	['desc', 'date', 1],
	['desc', 'click', 3],
	['asc', '', 3],
] as const)(
	'in 250 links that come %s, sorted by "%s", Created After reads %i pages',
	async (listOrder, order, pages) => {
		await using other = await Stage.opened({ listOrder, maxLimit: '100' }, { clock: () => made });
		other.sandbox.links.addLinks(other.linkAccount.id, 250, 3600);
		const filters = { createdAfter: '2030-01-09 23:00:00' };
		const found = await linksOf(other, filters, { returnAll: true, options: { order } });
		expect(titles(found)).toEqual(['Article 249', 'Article 250']);
		expect(found.requests).toHaveLength(pages);
	},
);
