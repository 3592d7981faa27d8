// The time, and waiting.

import { sleep } from 'n8n-workflow';

export interface Clock {
	/** Milliseconds on a clock that only goes forward: for waits. */
	now(): number;
	/** Epoch milliseconds on the wall clock: for times that users see, or that a service names. */
	epoch(): number;
	sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = { now: () => performance.now(), epoch: () => Date.now(), sleep };
