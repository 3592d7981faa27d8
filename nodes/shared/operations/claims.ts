// Keeps a row from changing what an earlier row of the same run has changed.

import { inputFailure } from '../values/failure';

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
	private readonly contents = new Map<string, Map<number, string>>();

	/** @throws Failure if an earlier item changes the same, and says something else */
	take(item: number, { key, what, content }: Claim): void {
		const known = this.contents.get(key) ?? new Map<number, string>();
		this.contents.set(key, known.set(item, content));
		// Items are checked side by side, so a later one may have come first.
		const others = [...known].filter(([other, said]) => other < item && said !== content);
		if (others.length === 0) return;
		const first = Math.min(...others.map(([other]) => other));
		throw inputFailure(
			`${what} is already in item ${first + 1}`,
			'Remove one of these rows, or give each its own value',
		);
	}
}
