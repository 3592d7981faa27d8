import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_WAIT_MS = 120_000;
const PAUSE_MS = 200;

/** Waits until the condition holds. @param what for the message: `2 polls` */
export async function until(
	condition: () => boolean | Promise<boolean>,
	what: string,
	longestMs = LONGEST_WAIT_MS,
): Promise<void> {
	const deadline = Date.now() + longestMs;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
		await sleep(PAUSE_MS);
	}
}
