import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import tls from 'node:tls';

import { record } from '../../n8n-host/json.ts';
import { runNode } from '../helpers/engine.ts';

/** How n8n reports a broken connection differs from version to version. What people read of it does not. */

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

/** Asks a service that breaks every connection so. */
async function wordsOf({ scheme, onRequest }: Break): Promise<string> {
	const server = createServer((socket) => socket.on('data', () => onRequest?.(socket)));
	server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	if (!onRequest) server.close();
	const baseUrl = `${scheme ?? 'http'}://127.0.0.1:${port}`;
	const { error } = await runNode({
		type: 'linkManagement',
		parameters: { resource: 'campaign', operation: 'create', campaignName: 'Spring' },
		credentials: { linkManagementApi: { baseUrl, apiKey: 'key', requestsPerMinute: 0 } },
	});
	server.close();
	return error?.message ?? 'no failure';
}

test.each(BREAKS)('$what: $words', async (broken) => {
	expect(await wordsOf(broken)).toMatch(
		new RegExp(`^No response from the service: ${broken.words}`),
	);
});

test.each([
	['checked', {}, {}, true],
	['not checked with the option of the node', { allowUnauthorizedCerts: true }, {}, false],
	['not checked with the option of the credential', {}, { allowUnauthorizedCerts: true }, false],
])('certificates are %s', async (_what, requestOptions, options, areChecked) => {
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
});
