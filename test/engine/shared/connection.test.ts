import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import tls from 'node:tls';

import { record } from '../../n8n-host/json.ts';
import { runNode } from '../helpers/engine.ts';

/** How n8n reports a broken connection differs from version to version. What people read of it does not. */

const BEGUN =
	'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"err';
const CLOSED = 'the connection was closed before the response';

type Break = (socket: Socket) => void;

/** What people read where a service breaks every connection so; without one, nothing listens. */
async function wordsOf(onRequest?: Break, scheme = 'http'): Promise<string | undefined> {
	const server = createServer((socket) => socket.on('data', () => onRequest?.(socket)));
	server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	if (!onRequest) server.close();
	const baseUrl = `${scheme}://127.0.0.1:${port}`;
	const { error } = await runNode({
		type: 'linkManagement',
		parameters: { resource: 'campaign', operation: 'create', campaignName: 'Spring' },
		credentials: { linkManagementApi: { baseUrl, apiKey: 'key', requestsPerMinute: 0 } },
	});
	server.close();
	return error?.message;
}

test.each<[what: string, words: string, onRequest?: Break, scheme?: string]>([
	['nothing listens', 'nothing is listening there'],
	['it is reset', CLOSED, (socket) => socket.resetAndDestroy()],
	['it is closed', CLOSED, (socket) => socket.end()],
	['it is cut off', CLOSED, (socket) => socket.end(BEGUN)],
	['there is no TLS', 'it does not use TLS', (socket) => socket.end(BEGUN), 'https'],
])('where %s: %s', async (_what, ...[words, onRequest, scheme]) => {
	expect(await wordsOf(onRequest, scheme)).toMatch(`No response from the service: ${words}`);
});

test.each([
	[{}, {}, true],
	[{ allowUnauthorizedCerts: true }, {}, false],
	[{}, { allowUnauthorizedCerts: true }, false],
])(
	'with %j at the node and %j in the credential, certificates are checked: %j',
	async (...given) => {
		const [requestOptions, options, areChecked] = given;
		const connects = jest.spyOn(tls, 'connect');
		await runNode({
			type: 'linkManagement',
			parameters: { resource: 'account', operation: 'get', requestOptions },
			credentials: {
				linkManagementApi: { baseUrl: 'https://127.0.0.1:1', apiKey: 'key', ...options },
			},
			mode: 'manual',
		});
		const [[connected] = []] = connects.mock.calls;
		connects.mockRestore();
		expect(connected).toMatchObject({ host: '127.0.0.1', port: '1' });
		expect(record(connected).rejectUnauthorized !== false).toBe(areChecked);
	},
);
