import type { Connection, Send } from '../shared/http/connection';
import { type Failure, toFailure } from '../shared/values/failure';
import { askForAccount } from './accountRequest';
import { checkCode, type CodeVerdict } from './codeVerdict';

interface Proof {
	sentAt: number;
	done: Promise<void>;
}

/**
 * A store may say the same of a wrong key as of an invalid code (document: one message per endpoint). So an invalid code is
 * believed once a request that was sent after it proved the key: a valid code, or the account.
 */
export class KeyVerifier {
	/** Counts what was sent and what was answered, to say what came first. */
	private events = 0;
	/** When the latest of the requests that proved the key was sent. */
	private provedAt = 0;
	private latest: Proof = { sentAt: 0, done: Promise.resolve() };
	/** Why the store refuses the key: it is not asked again. */
	private refusal: Failure | undefined;

	constructor(
		private readonly send: Send,
		private readonly connection: Connection,
	) {}

	/** @returns with an invalid code, when it was answered, for `prove` */
	async check(code: string): Promise<CodeVerdict & { answeredAt: number }> {
		const sentAt = this.next();
		const checked = await checkCode(code, this.send, this.connection);
		if (checked.purchase) this.isProved(sentAt);
		return { ...checked, answeredAt: this.next() };
	}

	/** Asks for the account at the first invalid code of a run, so that a run with a refused key ends soon. */
	async begin(answeredAt: number): Promise<void> {
		const isFirst = this.provedAt === 0 && this.latest.sentAt === 0;
		// Without an answer, a later valid code may prove the key.
		if (isFirst) await this.prove(answeredAt).catch(toFailure);
	}

	/** Asks for the account, unless the key was proved since. @throws Failure if the key is refused, or the store did not say */
	async prove(answeredAt: number): Promise<void> {
		// One that is under way was sent too early. All codes that wait for its end share the next one.
		if (this.latest.sentAt < answeredAt) await this.latest.done.catch(toFailure);
		if (this.refusal) throw this.refusal;
		if (this.provedAt > answeredAt) return;
		if (this.latest.sentAt < answeredAt) this.latest = this.ask();
		await this.latest.done;
	}

	private ask(): Proof {
		const sentAt = this.next();
		const asked = async (): Promise<void> => {
			try {
				await askForAccount(this.send);
				this.isProved(sentAt);
			} catch (error) {
				const failure = toFailure(error);
				if (failure.consequences.endsRun) this.refusal = failure;
				throw failure;
			}
		};
		return { sentAt, done: asked() };
	}

	private next(): number {
		this.events += 1;
		return this.events;
	}

	private isProved(sentAt: number): void {
		this.provedAt = Math.max(this.provedAt, sentAt);
	}
}
