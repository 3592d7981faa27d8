import { systemClock } from '../../../dist/nodes/shared/http/clock.js';

let aheadMs = 0;

/** The clock of nodes and sandbox, in epoch milliseconds. When a node would wait, it goes forward at once. */
export const clock = (): number => Math.floor(Date.now() + aheadMs);

/** So much time is over. */
export function pass(milliseconds: number): void {
	aheadMs += milliseconds;
}

Object.assign(systemClock, {
	now: () => performance.now() + aheadMs,
	epoch: clock,
	async sleep(milliseconds: number) {
		await new Promise((turn) => setImmediate(turn));
		pass(milliseconds);
	},
});
