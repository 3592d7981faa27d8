import type { Dialect } from '../../../sandbox/dialects.ts';
import { onStage, Stage } from '../helpers/support.ts';

/** What a dropdown requests: a page when the user opens it or scrolls, and few for a letter typed. */

const stage = onStage(new Stage());

/** Opens the list of links, and scrolls to its end. @returns what it shows, and the requests of each page */
async function scrolled(on: Stage, filter = '') {
	let shown = await on.search('searchLinks', { filter });
	const values = shown.results.map(({ value }) => value);
	const requests = [shown.requests.length];
	while (shown.paginationToken !== undefined) {
		const { paginationToken } = shown;
		shown = await on.search('searchLinks', { filter, paginationToken });
		values.push(...shown.results.map(({ value }) => value));
		requests.push(shown.requests.length);
	}
	expect(new Set(values).size).toBe(values.length);
	return { count: values.length, requests };
}

test('each page is read when it is scrolled to, and again when the list is opened again', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 150);
	for (let times = 0; times < 2; times += 1) {
		const { count, requests } = await scrolled(stage);
		expect(count).toBe(150);
		expect(new Set(requests)).toEqual(new Set([1]));
	}
});

test('what one key shows is not shown with another one', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3);
	await stage.search('searchLinks', { filter: 'a' });
	const wrong = stage.search('searchLinks', { filter: 'a', credential: { apiKey: 'wrong-key' } });
	await expect(wrong).rejects.toMatchObject({ message: expect.stringMatching(/key/i) as unknown });
});

test('a search ends when the list is full', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 300);
	const { requests } = await stage.search('searchLinks', { filter: 'article' });
	expect(requests).toHaveLength(1);
});

test('each record is found by its ID', async () => {
	const id = await stage.make('/api/campaign/add', { name: 'Spring' });
	const { results } = await stage.search('searchCampaigns', { filter: String(id) });
	expect(results).toMatchObject([{ value: id, name: 'Spring' }]);
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
	const { json } = await few.link('domain.getAll', { returnAll: true });
	expect(names.toSorted()).toEqual(json.map(({ domain }) => domain).toSorted());
});

describe('in an account that is larger than what a dropdown reads', () => {
	const opened = async (dialect: Partial<Dialect>) => {
		const large = await Stage.opened(dialect);
		large.sandbox.links.addLinks(large.linkAccount.id, 3000);
		return large;
	};

	test.each<[where: string, Partial<Dialect>, filter: string, count: number, requests: number]>([
		['where the service searches, any link is found', {}, 'articles/99', 1, 1],
		['so it is by its title', {}, 'rticle 99', 1, 1],
		['and what no link has', {}, 'nothing', 0, 11],
		['where it does not, what is on a few pages', { readsSearch: 'no' }, 'articles/99', 0, 10],
	])('%s: %j %j', async (_where, dialect, filter, count, most) => {
		await using large = await opened(dialect);
		const { results, requests } = await large.search('searchLinks', { filter });
		const matches = results.filter(({ name }) => name.endsWith(' – Article 99'));
		expect([matches.length, requests.length]).toEqual([count, most]);
	});

	test('all that it finds is shown, with few requests for each scroll', async () => {
		await using large = await opened({ maxLimit: '25' });
		// 9, 90 to 99 and 900 to 999.
		const { count, requests } = await scrolled(large, 'articles/9');
		expect([count, requests.slice(1)]).toEqual([111, [2, 1]]);
	});
});
