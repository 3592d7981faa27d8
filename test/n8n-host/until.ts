import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_WAIT_MS = 120_000;
const PAUSE_MS = 200;

type Found<Value> = Value | undefined | false;

/** Looks again and again until something is found, and gives that. @param what for the message: `2 polls` */
export async function until<Value>(
	look: () => Found<Value> | Promise<Found<Value>>,
	what: string,
	longestMs = LONGEST_WAIT_MS,
): Promise<Value> {
	const deadline = Date.now() + longestMs;
	for (;;) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await sleep(PAUSE_MS);
	}
}
