// Holds back results that a wrong key could also cause, such as invalid codes, until another row or a request of its own proves
// the key. A refused key ends the run.

import { type Failure, toFailure } from '../values/failure';

/** Sends a request that succeeds only with the right key. @param isEnd whether all rows have had their turn */
export type AskForKey = (isEnd: boolean) => Promise<unknown>;

interface Doubt {
	confirm: () => void;
	refuse: (failure: Failure) => void;
	/** Why asking after the doubt came gave no proof. */
	failure?: Failure;
}

const DOUBTS_IN_A_ROW = 10;

/**
 * Holds back results of a run that a wrong key may cause, too, until the key was proved after they came: by another row whose
 * request was sent later, or by asking. The first doubt asks, if no row has proved the key before, else so many doubts in a row:
 * a wrong key ends the run early, also if it is revoked on the way. The end of the run asks for what is still in doubt. So a run
 * sends at most two requests more.
 *
 * Assumed: a key that was refused when a result came is still refused at the proof. A key that is refused for a moment between
 * two proofs, and then taken again, is not noticed.
 */
export class KeyProof {
	/** By their number, the oldest first. */
	private readonly doubts = new Map<number, Doubt>();
	private latest = 0;
	private ask: AskForKey = async () => await Promise.resolve();
	private asking: Promise<void> | undefined;
	private hasAsked = false;
	private refusal: Failure | undefined;

	/** @param onRefusal ends the run */
	constructor(private readonly onRefusal: (failure: Failure) => void) {}

	/** Call it before a request is sent, and what it returns if the response proves the key. */
	begin(): () => void {
		const { latest } = this;
		return () => {
			// The first doubt need not ask any more.
			this.asking ??= Promise.resolve();
			this.confirmTo(latest);
		};
	}

	/** Resolves when the key was proved after now. @throws Failure if it is refused, or could not be proved */
	async proved(ask: AskForKey): Promise<void> {
		if (this.refusal) throw this.refusal;
		const confirmed = new Promise<void>((confirm, refuse) => {
			this.latest += 1;
			this.doubts.set(this.latest, { confirm, refuse });
		});
		this.ask = ask;
		const isRow = !this.hasAsked && this.doubts.size >= DOUBTS_IN_A_ROW;
		if (!this.asking || isRow) this.asking = this.askNow(false);
		await confirmed;
	}

	/** Call it when all rows of the run have had their turn. */
	async end(): Promise<void> {
		await this.asking;
		if ([...this.doubts.values()].some(({ failure }) => !failure)) await this.askNow(true);
		for (const [number, { refuse, failure }] of this.doubts) {
			if (!failure) continue;
			refuse(failure);
			this.doubts.delete(number);
		}
	}

	private async askNow(isEnd: boolean): Promise<void> {
		const { latest } = this;
		this.hasAsked = true;
		const failure = await this.ask(isEnd).then(() => undefined, toFailure);
		if (!failure) {
			this.confirmTo(latest);
			return;
		}
		for (const [number, doubt] of this.doubts) if (number <= latest) doubt.failure = failure;
		if (!failure.consequences.endsRun) return;
		this.refusal = failure;
		this.onRefusal(failure);
		for (const { refuse } of this.doubts.values()) refuse(failure);
		this.doubts.clear();
	}

	private confirmTo(latest: number): void {
		for (const [number, { confirm }] of this.doubts) {
			if (number > latest) return;
			confirm();
			this.doubts.delete(number);
		}
	}
}
