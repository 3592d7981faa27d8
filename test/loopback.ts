import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

import { record } from './n8n-host/json.ts';

export type LoopbackServer = Awaited<ReturnType<typeof serve>>;

/** A server of our own, on loopback. @param wanted its port. Default: a free one */
export async function serve(answer: RequestListener, wanted = 0) {
	const server = createServer(answer).listen(wanted, '127.0.0.1');
	await once(server, 'listening');
	const port = Number(record(server.address()).port);
	return {
		port,
		/** Without a trailing slash */
		url: `http://127.0.0.1:${port}`,
		async stop(): Promise<void> {
			server.closeAllConnections();
			await server[Symbol.asyncDispose]();
		},
	};
}

/** That port, or any, which was free a moment ago. @throws Error naming the port when it cannot be had */
export async function freePort(wanted?: number): Promise<number> {
	const server = await serve(() => undefined, wanted);
	await server.stop();
	return server.port;
}
