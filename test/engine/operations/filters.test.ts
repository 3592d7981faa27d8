import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { StageResult } from '../support.ts';
import { OPERATION_SAMPLES, runSample } from '../operationSamples.ts';
import { Stage, inEveryDialect, largestPage, onStage, textOf } from '../support.ts';

/** What the filters of lists let through, and what that costs. */

const LISTS = OPERATION_SAMPLES.filter(({ kind }) => kind === 'list');

const titles = ({ json }: StageResult): unknown[] => json.map(({ title }) => title).toSorted();

/** The member that names a record for people. */
const nameOf = (record: IDataObject): string => {
	const member = ['alias', 'domain', 'title', 'link', 'name'].find((each) => each in record);
	return textOf(record[member ?? '']);
};

inEveryDialect((stage) => {
	const list = async (
		filters: INodeParameters,
		parameters: INodeParameters = { returnAll: true },
		credential: IDataObject = {},
	) => await stage.link('link.getAll', { ...parameters, filters }, { credential });

	test.each(LISTS)('$node $name finds records by a text, in any case', async (sample) => {
		const rows = await sample.rows(stage, 3);
		const all = (await runSample(stage, sample, { rows })).json;
		const search = nameOf(all[1] ?? {});
		const searched = async (text: string) =>
			await runSample(stage, sample, { rows, parameters: { filters: { search: text } } });
		const { json } = await searched(` ${search.toUpperCase()}`);
		expect(json).toEqual(all.filter((record) => nameOf(record).includes(search)));
		expect(json.length).toBeGreaterThan(0);
		const nothing = await searched('in no record');
		expect([nothing.json, nothing.error]).toEqual([[], undefined]);
		expect((await searched('')).json).toEqual(all);
	});

	test.each([
		['by its alias', 'SPRING-A', ['a.example']],
		['by its title', 'gardens', ['Gardens']],
		['by its short URL', '/spring-', ['Gardens', 'a.example', 'c.example']],
		['by its long URL', 'c.example/sale', ['c.example']],
		['by its description', 'all about', ['c.example']],
	])('a link is found %s', async (_how, search, expected) => {
		for (const link of [
			{ url: 'https://a.example/', custom: stage.unique('spring-a') },
			{ url: 'https://b.example/', custom: stage.unique('spring-b'), metatitle: 'Gardens' },
			{
				url: 'https://c.example/sale',
				custom: stage.unique('spring-c'),
				metadescription: 'All about it',
			},
		]) {
			await stage.make('/api/url/add', link);
		}
		expect(titles(await list({ search }))).toEqual(expected);
	});

	test.each(['https://GO.', 'http://go.', 'go.', ' go.'])(
		'a domain, entered with %s, finds the links on it alone',
		async (start) => {
			const domain = stage.unique('domain');
			for (const host of [`go.${domain}.example.com`, `no-go.${domain}.example.com`]) {
				await stage.make('/api/domain/add', { domain: `https://${host}` });
				const url = `https://${host.split('.')[0]}.example/`;
				await stage.make('/api/url/add', { url, domain: `https://${host}` });
			}
			await stage.make('/api/url/add', { url: 'https://other.example/' });
			const value = `${start}${domain}.example.com`;
			for (const mode of ['list', 'name']) {
				const found = await list({ domain: { __rl: true, mode, value } });
				expect(titles(found)).toEqual(['go.example']);
			}
		},
	);

	test.each([
		[{ minClicks: 1 }, ['Article 2', 'Article 3']],
		[{ minClicks: '={{ "2" }}' }, ['Article 3']],
		[{ maxClicks: 0 }, ['Article 1']],
		[{ minClicks: 1, maxClicks: 1 }, ['Article 2']],
		[{ minClicks: '', maxClicks: '={{ null }}' }, ['Article 1', 'Article 2', 'Article 3']],
		[{ minClicks: 1, search: 'article 3' }, ['Article 3']],
	])('%j finds %j', async (filters, expected) => {
		const { sandbox, linkAccount } = stage;
		sandbox.links.addLinks(linkAccount.id, 3);
		for (const { id, title } of (await list({})).json) {
			sandbox.links.addVisits('link', Number(id), Number(textOf(title).slice(-1)) - 1);
		}
		for (const order of ['', 'click', 'date']) {
			expect(titles(await list(filters, { returnAll: true, order }))).toEqual(expected);
		}
	});

	test('a filtered list is read in large pages until the limit is reached, or to its end', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 210);
		const { json: all } = await list({});
		const pagesTo = (record: number) => Math.ceil(record / largestPage(stage.dialect));
		const search = textOf(all[104]?.title);
		const found = await list({ search }, { limit: 1 });
		expect(found.json).toEqual([all[104]]);
		expect(found.requests).toHaveLength(pagesTo(105));
		const atEnd = await list({ search, minClicks: 0 }, { limit: 2, order: 'click' });
		expect(atEnd.json).toEqual(found.json);
		const promised =
			stage.dialect.nextPage === 'plus-one' && 210 % largestPage(stage.dialect) === 0;
		expect(atEnd.requests).toHaveLength(pagesTo(210) + (promised ? 1 : 0));
		const asked = [...found.requests, ...atEnd.requests].map(({ query }) => query.limit);
		expect(new Set(asked)).toEqual(new Set(['100']));
	});
});

describe('links made at certain times', () => {
	const made = Date.UTC(2030, 0, 10);
	const stage = onStage(new Stage({}, { clock: () => made }));
	/** Hours, and the links: the third was made at midnight. */
	const HOUR = 3600;

	test.each([
		['from one time on', { createdAfter: '2030-01-09 23:00:00' }, 'UTC', [2, 3]],
		['before one time', { createdBefore: '2030-01-09 23:00:00' }, 'UTC', [1]],
		[
			'between two',
			{ createdAfter: '2030-01-09T22:30:00Z', createdBefore: '2030-01-10' },
			'UTC',
			[2],
		],
		['at one time alone', { createdAfter: made, createdBefore: made + 1000 }, 'UTC', [3]],
		['of Luxon', { createdAfter: "={{ DateTime.fromISO('2030-01-09T23:30:00Z') }}" }, 'UTC', [3]],
		[
			'meant in the zone of the workflow, where the service has another',
			{ createdAfter: '2030-01-09 22:00:00' },
			'Europe/Berlin',
			[2, 3],
		],
		['that are not given', { createdAfter: '', createdBefore: '={{ null }}' }, 'UTC', [1, 2, 3]],
	])('are found by times %s', async (_what, filters, timezone, articles) => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 3, HOUR);
		const settings = { credential: { timezone } };
		const found = await stage.link('link.getAll', { filters }, settings);
		expect(found.error).toBeUndefined();
		expect(titles(found)).toEqual(articles.map((number) => `Article ${number}`));
	});

	test('are found by a filter that an AI model fills with texts', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 3, HOUR);
		const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
		const filters = { createdAfter: fromModel('After'), minClicks: fromModel('Clicks') };
		const rows = [{ query: { After: '2030-01-10', Clicks: '0' } }];
		const found = await stage.link('link.getAll', { filters }, { rows });
		expect(titles(found)).toEqual(['Article 3']);
	});
});

describe('a filter that nothing can pass', () => {
	const stage = onStage(new Stage());

	test.each<[INodeParameters, string]>([
		[{ createdAfter: 'soon' }, 'Created After must be a date and time, but is "soon"'],
		[{ createdBefore: 45000 }, 'Created Before must be a date and time, but is "45000"'],
		[
			{ createdAfter: '2030-02-01', createdBefore: '2030-01-01' },
			'Nothing can be found: Created After is "2030-02-01 00:00:00", and Created Before is "2030-01-01 00:00:00"',
		],
		[{ minClicks: -1 }, 'Clicks at Least must be a whole number from 0 on, but is "-1"'],
		[{ maxClicks: 1.5 }, 'Clicks at Most must be a whole number from 0 on, but is "1.5"'],
		[{ maxClicks: 'many' }, 'Clicks at Most must be a whole number from 0 on, but is "many"'],
		[
			{ minClicks: 3, maxClicks: 2 },
			'Nothing can be found: Clicks at Least is "3", and Clicks at Most is "2"',
		],
		[
			{ domain: { __rl: true, mode: 'name', value: 'go example' } },
			'Domain must be a domain, but is "go example"',
		],
		[{ search: { text: 'spring' } }, 'Search must be a text, but is "{"text":"spring"}"'],
	])('is refused before any request: %j', async (filters, message) => {
		const { error, requests } = await stage.link('link.getAll', { filters });
		expect([error?.message, requests]).toEqual([message, []]);
	});

	test('is refused by the store, too', async () => {
		const filters = { search: '={{ ["spring"] }}' };
		const { error, requests } = await stage.store('item.getAll', { filters });
		expect([error?.message, requests]).toEqual(['Search must be a text, but is "["spring"]"', []]);
	});
});
