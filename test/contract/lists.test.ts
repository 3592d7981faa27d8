import { callLink, member, sandboxForTests } from './clients.ts';
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
