import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

import type { Credentials } from '../helpers/engine.ts';
import { runNode, searchList } from '../helpers/engine.ts';
import { ActiveTrigger } from '../helpers/trigger.ts';

/**
 * How n8n reports a broken connection differs from version to version. What people read of it does not: neither in a node,
 * nor in a dropdown, nor in a trigger. No dialect applies, because no response arrives.
 */

const BEGUN =
	'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"err';
const CLOSED = 'the connection was closed before the response';

interface Break {
	what: string;
	words: string;
	scheme?: 'https';
	onRequest?: (socket: Socket) => void;
}

const BREAKS: Break[] = [
	{ what: 'nothing listens', words: 'nothing is listening there' },
	{ what: 'reset', words: CLOSED, onRequest: (socket) => socket.resetAndDestroy() },
	{ what: 'closed', words: CLOSED, onRequest: (socket) => socket.end() },
	{ what: 'cut off', words: CLOSED, onRequest: (socket) => socket.end(BEGUN) },
	{
		what: 'no TLS',
		words: 'it does not use TLS; its address may begin with http://',
		scheme: 'https',
		onRequest: (socket) => socket.end(BEGUN),
	},
];

const ASKERS: Record<string, (credentials: Credentials) => Promise<string | undefined>> = {
	node: async (credentials) => {
		const parameters = { resource: 'campaign', operation: 'create', campaignName: 'Spring' };
		const { error } = await runNode({ type: 'linkManagement', parameters, credentials });
		return error?.message;
	},
	dropdown: async (credentials) =>
		await messageOf(searchList({ type: 'linkManagement', method: 'searchCampaigns', credentials })),
	trigger: async (credentials) =>
		await messageOf(
			new ActiveTrigger({
				type: 'linkManagementTrigger',
				parameters: { event: 'campaignCreated' },
				credentials,
			}).activate(),
		),
};

async function messageOf(refused: Promise<unknown>): Promise<string> {
	return await refused.then(String, (error: unknown) => (error as Error).message);
}

/** Asks a service that breaks every connection so. */
async function wordsOf(asker: string, { scheme, onRequest }: Break): Promise<string> {
	const server = createServer((socket) => socket.on('data', () => onRequest?.(socket)));
	server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	if (!onRequest) server.close();
	const baseUrl = `${scheme ?? 'http'}://127.0.0.1:${port}`;
	const credential = { baseUrl, apiKey: 'key', requestsPerMinute: 0, timezone: 'UTC' };
	const message = await ASKERS[asker]?.({ linkManagementApi: credential });
	server.close();
	return message ?? 'no failure';
}

test.each(Object.keys(ASKERS))('a %s says in the same words what broke', async (asker) => {
	// One after the other: whoever waits moves the clock for all.
	for (const broken of BREAKS)
		expect([broken.what, await wordsOf(asker, broken)]).toEqual([
			broken.what,
			expect.stringMatching(`^No response from the service: ${broken.words}`),
		]);
});
