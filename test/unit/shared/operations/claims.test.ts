import { Claims } from '../../../../dist/nodes/shared/operations/claims.js';
import { explanationOf } from '../../helpers/explanation.ts';

/** Takes claims of items in turn: [item, key, content]; says why each is refused. */
function taken(...claims: Array<[item: number, key: string, content: string]>): unknown[] {
	const run = new Claims();
	return claims.map(([item, key, content]) =>
		explanationOf(() => run.take(item, { key, what: `Alias ${key}`, content })),
	);
}

const refusedFor = (item: number) =>
	`Alias a is already in item ${item}. Remove one of these rows, or give each its own value.`;

test.each<[string, Parameters<typeof taken>, unknown[]]>([
	[
		'two keys',
		[
			[0, 'a', 'x'],
			[1, 'b', 'y'],
		],
		['none', 'none'],
	],
	[
		'one key for another content',
		[
			[0, 'a', 'x'],
			[1, 'a', 'y'],
		],
		['none', refusedFor(1)],
	],
	[
		'one key for the same content',
		[
			[0, 'a', 'x'],
			[1, 'a', 'x'],
		],
		['none', 'none'],
	],
	[
		'one item again',
		[
			[0, 'a', 'x'],
			[0, 'a', 'x'],
		],
		['none', 'none'],
	],
	// Items are checked side by side. At their turn they take it once more.
	[
		'an earlier item that is checked later',
		[
			[3, 'a', 'x'],
			[1, 'a', 'y'],
			[3, 'a', 'x'],
			[1, 'a', 'y'],
		],
		['none', 'none', refusedFor(2), 'none'],
	],
])('%s', (_what, claims, outcomes) => {
	expect(taken(...claims)).toEqual(outcomes);
});
