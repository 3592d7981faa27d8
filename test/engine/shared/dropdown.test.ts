import type { Dialect } from '../../../sandbox/dialects.ts';
import { onStage, Stage } from '../helpers/support.ts';

/** What a dropdown requests: a page when the user opens it or scrolls, and few for a letter typed. */

const stage = onStage(new Stage());

const PAGE = 50;

const shown = async (filter = '', paginationToken?: string) => {
	const settings = paginationToken === undefined ? { filter } : { filter, paginationToken };
	const { results, paginationToken: next, requests } = await stage.search('searchLinks', settings);
	return { count: results.length, next, requests: requests.length };
};

test('each page is read when it is scrolled to, and again when the list is opened again', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3 * PAGE);
	expect((await shown()).requests).toBe(1);
	const first = await shown();
	expect(first.requests).toBe(1);
	let { next, count } = first;
	while (next !== undefined) {
		const page = await shown('', next);
		expect(page.requests).toBe(1);
		next = page.next;
		count += page.count;
	}
	expect(count).toBe(3 * PAGE);
	expect((await shown()).requests).toBe(1);
});

test('what one key shows is not shown with another one', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3);
	await shown('a');
	const wrong = stage.search('searchLinks', { filter: 'a', credential: { apiKey: 'wrong-key' } });
	await expect(wrong).rejects.toMatchObject({ message: expect.stringMatching(/key/i) as unknown });
});

test('a search ends when the list is full', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 300);
	expect((await shown('article')).requests).toBe(1);
});

test('no name in a list is an expression', async () => {
	await stage.make('/api/campaign/add', { name: '=1+1' });
	const { results } = await stage.search('searchCampaigns');
	expect(results.map(({ name }) => name)).toEqual([' =1+1']);
});

test('each record is found by its ID', async () => {
	await using documented = await Stage.opened('documented');
	const id = await documented.make('/api/campaign/add', { name: 'Spring' });
	const { results } = await documented.search('searchCampaigns', { filter: String(id) });
	expect(results.map(({ value }) => value)).toEqual([id]);
});

test('the domains that every account shares can be picked by name, and not by an ID they do not have', async () => {
	await using few = await Stage.opened({ maxLimit: '7' });
	for (let n = 1; n <= 9; n += 1)
		await few.make('/api/domain/add', { domain: `https://d${n}.example.com` });
	const valuesOf = async (method: string) =>
		(await few.search(method, { filter: 'example' })).results.map(({ value }) => value);
	expect(await valuesOf('searchDomains')).toHaveLength(9);
	const names = await valuesOf('searchDomainNames');
	expect(names).toContain('https://shared.example.net');
	expect(names).toHaveLength(10);
	const { json } = await few.link('domain.getAll', { returnAll: true });
	expect(json.map(({ domain }) => domain).toSorted()).toEqual(names.toSorted());
});

describe('in an account that is larger than what a dropdown reads', () => {
	const LINKS = 3000;

	const searched = async (dialect: Partial<Dialect>, ...filters: string[]) => {
		await using large = await Stage.opened(dialect);
		large.sandbox.links.addLinks(large.linkAccount.id, LINKS);
		const found: unknown[] = [];
		for (const filter of filters) {
			const { results, requests } = await large.search('searchLinks', { filter });
			const matches = results.filter(({ name }) => name.endsWith(' – Article 99')).length;
			found.push([matches, requests.length]);
		}
		return found;
	};

	test('any link is found where the service searches, with a request a filter', async () => {
		expect(await searched({}, 'articles/99', 'rticle 99', 'nothing')).toEqual([
			[1, 1],
			[1, 1],
			[0, 11],
		]);
	});

	test('all that it finds is shown, with few requests for each scroll', async () => {
		await using large = await Stage.opened({ maxLimit: '25' });
		large.sandbox.links.addLinks(large.linkAccount.id, LINKS);
		const open = async (paginationToken?: string) =>
			await large.search('searchLinks', {
				filter: 'articles/9',
				...(paginationToken === undefined ? {} : { paginationToken }),
			});
		let shown = await open();
		const values = shown.results.map(({ value }) => value);
		const requests: number[] = [];
		while (shown.paginationToken !== undefined) {
			shown = await open(shown.paginationToken);
			values.push(...shown.results.map(({ value }) => value));
			requests.push(shown.requests.length);
		}
		// 9, 90 to 99 and 900 to 999.
		expect(new Set(values).size).toBe(111);
		expect(requests).toEqual([2, 1]);
	});

	test('where it does not, what is on the pages that are read, with no more requests than those', async () => {
		expect(await searched({ readsSearch: 'no' }, 'articles/99', 'rticle 99')).toEqual([
			[0, 10],
			[0, 10],
		]);
	});
});
