import { callLink, linkFailure, member, sandboxForTests } from './clients.ts';
import type { Answer } from './clients.ts';

const urlsOf = (answer: Answer): unknown[] => {
	const urls = member(answer.data, 'data', 'urls');
	return Array.isArray(urls) ? urls : [];
};
const idsOf = (answer: Answer): number[] => urlsOf(answer).map((url) => Number(member(url, 'id')));

describe('Lists as documented', () => {
	const sandbox = sandboxForTests({ seed: 40 });
	const page = (query: Record<string, string | number>) =>
		callLink(sandbox(), 'GET /api/urls', { query });

	test('have 15 records per page unless told', async () => {
		const { data } = await page({});
		expect(member(data, 'data')).toMatchObject({
			result: 40,
			perpage: 15,
			currentpage: 1,
			nextpage: 2,
			maxpage: 3,
		});
	});

	test('show each record once, newest first, on any page size', async () => {
		for (const limit of [1, 7, 15, 40, 100]) {
			const pages = Math.ceil(40 / limit);
			const answers: Answer[] = [];
			for (let number = 1; number <= pages; number += 1) {
				answers.push(await page({ limit, page: number }));
			}
			const ids = answers.flatMap(idsOf);
			expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => 40 - index));
		}
	});

	test('sort by clicks when asked', async () => {
		const urls = urlsOf(await page({ order: 'click', limit: 40 }));
		const clicks = urls.map((url) => Number(member(url, 'clicks')));
		expect(clicks).toEqual([...clicks].sort((a, b) => b - a));
		expect(clicks[0]).toBeGreaterThan(0);
	});
});

describe('Each setting of the lists', () => {
	const lastPage = { query: { page: 3 } };
	const beyond = { query: { page: 9 } };

	describe.each([
		['same', 3],
		['null', null],
		['plus-one', 4],
		['zero', 0],
	] as const)('nextPage %s', (nextPage, expected) => {
		const sandbox = sandboxForTests({ dialect: { nextPage } });
		test('decides nextpage on the last page', async () => {
			const { data } = await callLink(sandbox(), 'GET /api/urls', lastPage);
			expect(member(data, 'data', 'nextpage')).toBe(expected);
		});
	});

	describe.each([
		['unlimited', 40],
		['25', 25],
		['100', 40],
	] as const)('maxLimit %s', (maxLimit, expected) => {
		const sandbox = sandboxForTests({ dialect: { maxLimit } });
		test('lowers a greater limit and says so', async () => {
			const answer = await callLink(sandbox(), 'GET /api/urls', { query: { limit: 500 } });
			expect(urlsOf(answer)).toHaveLength(expected);
			expect(member(answer.data, 'data', 'perpage')).toBe(
				maxLimit === 'unlimited' ? 500 : Number(maxLimit),
			);
		});
	});

	describe('pageBeyond', () => {
		const empty = sandboxForTests({ dialect: { pageBeyond: 'empty' } });
		const last = sandboxForTests({ dialect: { pageBeyond: 'last' } });
		const error = sandboxForTests({ dialect: { pageBeyond: 'error' } });
		test('is an empty page, the last page again, or a failure', async () => {
			const emptyPage = await callLink(empty(), 'GET /api/urls', beyond);
			expect(member(emptyPage.data, 'data')).toMatchObject({ currentpage: 9, urls: [] });
			expect(idsOf(await callLink(last(), 'GET /api/urls', beyond))).toEqual(
				idsOf(await callLink(last(), 'GET /api/urls', lastPage)),
			);
			linkFailure(await callLink(error(), 'GET /api/urls', beyond));
		});
	});

	describe('listOrder asc', () => {
		const sandbox = sandboxForTests({ dialect: { listOrder: 'asc' } });
		test('shows the oldest first', async () => {
			expect(idsOf(await callLink(sandbox(), 'GET /api/urls')).slice(0, 3)).toEqual([1, 2, 3]);
		});
	});

	describe('integers string', () => {
		const sandbox = sandboxForTests({ dialect: { integers: 'string' } });
		test('writes every integer as a string', async () => {
			const { data } = await callLink(sandbox(), 'GET /api/urls', { query: { limit: 1 } });
			expect(member(data, 'data')).toMatchObject({
				result: '40',
				perpage: '1',
				nextpage: '2',
				urls: [{ id: '40', clicks: '0' }],
			});
		});
	});
});
