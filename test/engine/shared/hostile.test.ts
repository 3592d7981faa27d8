import { getEventListeners } from 'node:events';

import type { LoopbackServer } from '../../loopback.ts';
import { serve } from '../../loopback.ts';
import { runNode } from '../helpers/engine.ts';

/** What is left to say of a service that was taken over; its responses are in `faults.matrix.test.ts`. */

let server: LoopbackServer;
let answer: unknown;
const open = new Set<unknown>();
beforeAll(async () => {
	server = await serve(({ socket }, response) => {
		if (!open.has(socket)) socket.on('close', () => open.delete(socket));
		open.add(socket);
		response.end(JSON.stringify(answer));
	});
});
afterAll(async () => {
	await server.stop();
});

const parameters = { resource: 'account', operation: 'get', simplify: false };
const credential = () => ({
	baseUrl: server.url,
	apiKey: 'key',
	requestsPerMinute: 0,
	timezone: 'UTC',
});

/** Waits until none is left. @returns how many are */
async function drained(count: () => number): Promise<number> {
	for (let left = 100; left > 0 && count() > 0; left -= 1) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return count();
}

test('a token or cookie of the extra header is masked without its name, too', async () => {
	const secret = 'token-of-32-characters-987654321';
	for (const extraHeaderValue of [`Token ${secret}`, `clearance=${secret}`]) {
		answer = { error: 0, data: { id: 1, name: secret } };
		const linkManagementApi = { ...credential(), extraHeaderName: 'X-Clearance', extraHeaderValue };
		const { json: items } = await runNode({
			type: 'linkManagement',
			parameters,
			credentials: { linkManagementApi },
		});
		expect(items).toEqual([{ id: 1, name: '***' }]);
	}
});

test('nothing of 50 requests is left behind: no socket, timer or abort listener', async () => {
	const spy = jest.spyOn(EventTarget.prototype, 'addEventListener');
	answer = { error: 0, data: { id: 1 } };
	const credentials = { linkManagementApi: credential() };
	const given = { type: 'linkManagement', parameters, credentials };
	const timers = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
	const result = await runNode({ ...given, rows: Array.from({ length: 50 }, () => ({})) });
	const contexts: unknown[] = spy.mock.contexts;
	const signals = new Set(contexts.filter((each) => each instanceof AbortSignal));
	spy.mockRestore();
	expect(result.json).toHaveLength(50);
	expect(await drained(() => open.size)).toBe(0);
	const countOf = (kind: string) =>
		process.getActiveResourcesInfo().filter((each) => each === kind).length;
	expect(await drained(() => countOf('TCPSocketWrap'))).toBe(0);
	expect(countOf('Timeout')).toBeLessThanOrEqual(timers);
	expect(signals.size).toBeGreaterThan(50);
	const listening = [...signals].flatMap((signal) => getEventListeners(signal, 'abort'));
	expect(listening).toEqual([]);
});
