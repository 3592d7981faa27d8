import { Claims } from '../../../../dist/nodes/shared/operations/claims.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

/** Takes claims of items in turn: [item, key, content]; says what becomes of each. */
function taken(...claims: Array<[item: number, key: string, content: string]>): unknown[] {
	const run = new Claims();
	return claims.map(([item, key, content]) => {
		try {
			run.take(item, { key, what: `Alias ${key}`, content });
			return 'taken';
		} catch (error) {
			return error instanceof Failure ? error.explanation : error;
		}
	});
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
		['taken', 'taken'],
	],
	[
		'one key for another content',
		[
			[0, 'a', 'x'],
			[1, 'a', 'y'],
		],
		['taken', refusedFor(1)],
	],
	[
		'one key for the same content',
		[
			[0, 'a', 'x'],
			[1, 'a', 'x'],
		],
		['taken', 'taken'],
	],
	[
		'one item again',
		[
			[0, 'a', 'x'],
			[0, 'a', 'x'],
		],
		['taken', 'taken'],
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
		['taken', 'taken', refusedFor(2), 'taken'],
	],
])('%s', (_what, claims, outcomes) => {
	expect(taken(...claims)).toEqual(outcomes);
});
