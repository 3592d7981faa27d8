import type { Failure } from '../values/failure';
import { failureOf } from '../values/failure';

/** So many requests in a row without a usable response mean that the service is down. */
const MOST_FAILURES = 5;

/** Sends the requests of one run until the service is down; further ones fail without being sent. */
export class Outage {
	private failures = 0;
	private unsent: Failure | undefined;
	private readonly underWay = new Set<Promise<unknown>>();

	/** @throws Failure of the request, or of the last one that was sent */
	async send<T>(request: () => Promise<T>): Promise<T> {
		// After a failure, each request in flight may be the next one.
		while (this.failures > 0 && this.failures + this.underWay.size >= MOST_FAILURES) {
			if (this.unsent) throw this.unsent;
			await Promise.race(this.underWay);
		}
		const sending = request();
		const ended = sending.then(
			() => (this.failures = 0),
			(error: unknown) => this.note(error),
		);
		this.underWay.add(ended);
		await ended;
		this.underWay.delete(ended);
		return await sending;
	}

	private note(error: unknown): void {
		const failure = failureOf(error);
		this.failures = isUseless(failure) ? this.failures + 1 : 0;
		if (this.failures < MOST_FAILURES) return;
		this.unsent = failure.with({
			message: `Not sent, because ${MOST_FAILURES} requests in a row failed. Last error: ${failure.message}`,
		});
	}
}

const isUseless = ({ kind, httpCode = 0 }: Failure): boolean =>
	['unreachable', 'unavailable', 'unreadable'].includes(kind) || httpCode >= 500;
