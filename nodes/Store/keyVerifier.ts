// Proves the API key of a run or a poll: a store may say the same of a wrong key as of an invalid code.

import type { Connection } from '../shared/http/connection';
import type { Send } from '../shared/http/service';
import { perSession } from '../shared/operations/session';
import { toFailure } from '../shared/values/failure';
import { checkCode, type CodeVerdict } from './codeVerdict';
import { askForAccount } from './records';

/** An invalid code is believed once a request that was sent after it proved the key: a valid code, or the account. */
export class KeyVerifier {
	/** How many codes were invalid, and how many of these were so before a request that proved the key. */
	private invalid = 0;
	private proved = 0;
	/** The request for the account at the first invalid code. */
	private first: Promise<void> | undefined;

	constructor(
		private readonly send: Send,
		private readonly connection: Connection,
	) {}

	async check(code: string): Promise<CodeVerdict> {
		const before = this.invalid;
		const verdict = await checkCode(code, this.send, this.connection);
		if (verdict.purchase) this.proved = Math.max(this.proved, before);
		else this.invalid += 1;
		return verdict;
	}

	/** The same in a run: if the key is refused, the first invalid code shows it, so that the run ends soon. @throws Failure */
	async checkInRun(code: string): Promise<CodeVerdict> {
		const verdict = await this.check(code);
		if (verdict.purchase) return verdict;
		this.first ??= this.ask();
		await this.first.catch((error: unknown) => {
			// Without a response, a later request may prove the key.
			if (toFailure(error).consequences.endsRun) throw error;
		});
		return verdict;
	}

	/** @throws Failure unless the key was proved since the last invalid code, or the account proves it */
	async prove(): Promise<void> {
		if (this.proved < this.invalid) await this.ask();
	}

	private async ask(): Promise<void> {
		const before = this.invalid;
		await askForAccount(this.send);
		this.proved = Math.max(this.proved, before);
	}
}

export const verifierOf = perSession(({ send, connection }) => new KeyVerifier(send, connection));
