import { isBelowLowest } from '../../../../dist/nodes/LinkManagement/trigger/countEvents.js';

/** When a reading for milestones ends: the list is seen to be by clicks, and below the lowest milestone, which is 10. */

/** @param links the ID and the clicks of each */
const listOf = (links: string) =>
	links.split(' ').map((link) => {
		const [id, clicks] = link.split(':');
		return { id: Number(id), clicks: clicks === '?' ? undefined : Number(clicks) };
	});

const watch = {
	countOf: ({ clicks }: { clicks?: number }) => clicks,
	lowest: 10,
} as unknown as Parameters<typeof isBelowLowest>[1];

test.each<[what: string, links: string, isEnd: boolean]>([
	['by clicks, and below', '3:50 9:20 5:9', true],
	['by clicks, but not below yet', '3:50 9:20 5:10', false],
	['a count rises', '3:20 9:50 5:9', false],
	['the newest first, clicks fall by chance', '9:50 5:20 3:9', false],
	['the oldest first, clicks fall by chance', '3:50 5:20 9:9', false],
	['no clicks at all', '3:0 9:0 5:0', false],
	['few clicks, then none', '3:2 9:0 5:0', false],
	['a count that cannot be read', '3:50 9:20 5:?', false],
])('%s', (_what, links, isEnd) => {
	expect(isBelowLowest(listOf(links), watch)).toBe(isEnd);
});

test('nothing', () => {
	expect(isBelowLowest([], watch)).toBe(false);
});
