import { pass } from '../helpers/clock.ts';
import { onStage, Stage } from '../helpers/support.ts';

/** What a dropdown requests: a page when the user opens it or scrolls, and none for the next letter typed. */

const stage = onStage(new Stage());

const PAGE = 50;

const shown = async (filter = '', paginationToken?: string) => {
	const settings = paginationToken === undefined ? { filter } : { filter, paginationToken };
	const { results, paginationToken: next, requests } = await stage.search('searchLinks', settings);
	return { count: results.length, next, requests: requests.length };
};

test('each page is read when it is scrolled to, and again when the list is opened again', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3 * PAGE);
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

test('what is typed is searched in pages that are read already', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 10);
	expect((await shown('nothing has this')).requests).toBe(1);
	expect((await shown('nothing has this name')).requests).toBe(0);
	pass(21_000);
	expect((await shown('nothing has this name')).requests).toBe(1);
});

test('a search ends when the list is full', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 6 * PAGE);
	const { count, requests } = await shown('http');
	expect(count).toBeGreaterThanOrEqual(PAGE);
	expect(requests).toBeLessThanOrEqual(2);
});

test('n8n evaluates no name that is picked, although it begins with =', async () => {
	await stage.make('/api/campaign/add', { name: '=1+1' });
	const { results } = await stage.search('searchCampaigns');
	expect(results.map(({ name }) => name)).toEqual([' =1+1']);
});

test('what one key shows is not shown with another one', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 3);
	await shown('a');
	const wrong = stage.search('searchLinks', { filter: 'a', credential: { apiKey: 'wrong-key' } });
	await expect(wrong).rejects.toMatchObject({ message: expect.stringMatching(/key/i) as unknown });
});
