// Finds out whether a 403 is about the key or about this request alone, by reading the account: at the first 403, at the first
// after a success, and at every tenth in a row.

import { type Failure, toFailure } from '../values/failure';

/** After this many 403s in a row, the account is read again. */
const ASKED_EVERY = 10;

const NOT_ALLOWED =
	'The API key works, but this is not allowed: the record may belong to another account';
const WORKED_BEFORE =
	'The API key worked a moment ago, so maybe only this is not allowed: the record may belong to another account';

/**
 * Finds out whether a 403 in unknown words is about the key or about one request, by reading the account. What the account says
 * holds for the 403s that wait for it: a key may be revoked at any time. It belongs to a run, a poll or a dropdown.
 */
export class KeyCheck {
	private forbiddenSinceAsked = ASKED_EVERY;
	/** Whether the account could be read when it was asked. */
	private hasWorked = false;
	private asked: Promise<Failure | undefined> | undefined;

	noteSuccess(): void {
		this.forbiddenSinceAsked = ASKED_EVERY;
	}

	/** What to throw for a failure. The first 403 asks the account, the first after a success, and then each tenth. */
	async explained(failure: Failure, askAccount: () => Promise<unknown>): Promise<Failure> {
		if (failure.kind !== 'forbidden') return failure;
		this.forbiddenSinceAsked += 1;
		if (!this.asked) {
			if (this.forbiddenSinceAsked < ASKED_EVERY)
				return this.hasWorked ? failure.with({ advice: WORKED_BEFORE }) : failure;
			this.forbiddenSinceAsked = 0;
			this.asked = askAccount()
				.then(() => undefined, toFailure)
				.finally(() => {
					this.asked = undefined;
				});
		}
		const refusal = await this.asked;
		this.hasWorked = !refusal;
		if (!refusal) return failure.with({ kind: 'refused', advice: NOT_ALLOWED });
		return refusal.consequences.endsRun ? refusal : failure;
	}
}
