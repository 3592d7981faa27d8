import * as fc from 'fast-check';

import { Outage } from '../../dist/nodes/shared/operations/outage.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';

const down = new Failure({ kind: 'unavailable', message: 'down', httpCode: 503 });
const refused = new Failure({ kind: 'refused', message: 'no', httpCode: 404 });

/** Sends requests with so many in flight, each of which ends after its time; gives how many were sent. */
async function sent(ends: Array<{ ticks: number; error?: Failure }>, inFlight: number) {
	const outage = new Outage();
	const started: number[] = [];
	const results: unknown[] = [];
	const queue = [...ends.entries()];
	const worker = async (): Promise<void> => {
		for (let next = queue.shift(); next; next = queue.shift()) {
			const [at, { ticks, error }] = next;
			results[at] = await outage
				.send(async () => {
					started.push(at);
					for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
					if (error) throw error;
				})
				.catch((failure: unknown) => failure);
		}
	};
	await Promise.all(Array.from({ length: inFlight }, worker));
	return { started: started.length, results };
}

const ends = (error: fc.Arbitrary<Failure | undefined>) =>
	fc.array(fc.record({ ticks: fc.nat(8), error }), { minLength: 20, maxLength: 40 });
const IN_FLIGHT = fc.integer({ min: 1, max: 5 });

test('a service that is down gets five requests, however many are in flight', async () => {
	await fc.assert(
		fc.asyncProperty(ends(fc.constant(down)), IN_FLIGHT, async (requests, inFlight) => {
			const { started, results } = await sent(requests as Parameters<typeof sent>[0], inFlight);
			expect(started).toBe(5);
			const unsent = results.filter((failure) => failure !== down).map(String);
			expect(unsent).toHaveLength(requests.length - 5);
			expect(new Set(unsent)).toEqual(new Set([expect.stringMatching(/Not sent.*error: down$/)]));
		}),
	);
});

test('refusals and successes leave nothing unsent', async () => {
	const error = fc.constantFrom(refused, undefined);
	await fc.assert(
		fc.asyncProperty(ends(error), IN_FLIGHT, async (requests, inFlight) => {
			const { started } = await sent(requests as Parameters<typeof sent>[0], inFlight);
			expect(started).toBe(requests.length);
		}),
	);
});

test.each([
	['four in a row', [down, down, down, down, undefined, down, down, down, down, undefined], 10],
	[
		'a refusal between them',
		[down, down, down, down, refused, down, down, down, down, refused],
		10,
	],
	['five in a row', [undefined, down, down, down, down, down, undefined, undefined], 6],
])('%s: %s', async (_what, errors, count) => {
	const requests = errors.map((error) => ({ ticks: 1, ...(error && { error }) }));
	expect((await sent(requests, 1)).started).toBe(count);
});
