// Refuses an item that would change what an earlier item of the run changes, unless both say the same.

import { type Failure, inputFailure } from '../values/failure';

/** What an item of a run changes, so that no later item changes it to something else. */
export interface Claim {
	key: string;
	/** As in messages: `Custom Alias spring`. */
	what: string;
	/** What the item says about it. Items that say the same may share it. */
	content: string;
}

/** What the items of a run change, each by the item that comes first. */
export class Claims {
	private readonly firsts = new Map<string, { item: number; content: string }>();

	/** @throws Failure if the first item that changes the same says something else */
	take(item: number, { key, what, content }: Claim): void {
		const first = this.firsts.get(key);
		// Items are checked side by side, so a later one may have come first.
		if (!first || item < first.item) this.firsts.set(key, { item, content });
		else if (content !== first.content) throw alreadyIn(first.item, what);
	}
}

const alreadyIn = (item: number, what: string): Failure =>
	inputFailure(
		`${what} is already in item ${item + 1}`,
		'Remove one of these rows, or give each its own value',
	);
