// Proves the API key of a run or a poll: a store may say the same of a wrong key as of an invalid code or a missing item.

import type { Connection, Send } from '../shared/http/connection';
import { perSession } from '../shared/operations/session';
import { checkCode, type CodeVerdict } from './codeVerdict';
import { askForAccount } from './records';

/** An invalid code is believed once a request that was sent after it proved the key: a valid code, or the account. */
export class KeyVerifier {
	/** How many codes were invalid, and how many of these were so before a request that proved the key. */
	private invalid = 0;
	private proved = 0;
	/** The two requests for the account: at the first invalid code, and when no other code is left. */
	private first: Promise<void> | undefined;
	private last: Promise<void> | undefined;

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

	/** So that a run with a refused key ends soon. @throws Failure if the account does not prove the key */
	async proveFirst(): Promise<void> {
		this.first ??= this.ask();
		await this.first;
	}

	/** @throws Failure unless the key was proved since the last invalid code, or the account proves it */
	async proveLast(): Promise<void> {
		if (this.proved === this.invalid) return;
		this.last ??= this.ask();
		await this.last;
	}

	private async ask(): Promise<void> {
		const before = this.invalid;
		await askForAccount(this.send);
		this.proved = Math.max(this.proved, before);
	}
}

export const verifierOf = perSession(({ send, connection }) => new KeyVerifier(send, connection));
