import { isBelowLowest } from '../../../../dist/nodes/LinkManagement/trigger/countOrder.js';

/** When a reading for milestones ends: the list is seen to be by clicks, and below the lowest milestone, which is 10. */

const listOf = (pairs: Array<[id: number, clicks: number | undefined]>) =>
	pairs.map(([id, clicks]) => ({ id, clicks }));

const watch = {
	source: { path: '/api/urls', listName: 'urls' },
	recordOf: (entry: object) => entry,
	countOf: ({ clicks }: { clicks?: number }) => clicks,
	changed: () => undefined,
	lowest: 10,
	isByCount: true,
} as unknown as Parameters<typeof isBelowLowest>[1];

test.each<[what: string, list: Array<[number, number | undefined]>, isEnd: boolean]>([
	[
		'by clicks, and below',
		[
			[3, 50],
			[9, 20],
			[5, 9],
		],
		true,
	],
	[
		'by clicks, but not below yet',
		[
			[3, 50],
			[9, 20],
			[5, 10],
		],
		false,
	],
	[
		'a count rises',
		[
			[3, 20],
			[9, 50],
			[5, 9],
		],
		false,
	],
	[
		'the newest first, clicks fall by chance',
		[
			[9, 50],
			[5, 20],
			[3, 9],
		],
		false,
	],
	[
		'the oldest first, clicks fall by chance',
		[
			[3, 50],
			[5, 20],
			[9, 9],
		],
		false,
	],
	[
		'no clicks at all',
		[
			[3, 0],
			[9, 0],
			[5, 0],
		],
		false,
	],
	[
		'few clicks, then none',
		[
			[3, 2],
			[9, 0],
			[5, 0],
		],
		false,
	],
	[
		'a count that cannot be read',
		[
			[3, 50],
			[9, 20],
			[5, undefined],
		],
		false,
	],
	['nothing', [], false],
])('%s', (_what, list, isEnd) => {
	expect(isBelowLowest(listOf(list) as never, watch)).toBe(isEnd);
});
