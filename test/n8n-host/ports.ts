import { once } from 'node:events';
import { createServer } from 'node:net';

import { isRecord } from './json.ts';

/** Listens on that port of loopback for a moment. @throws Error naming the port when it cannot be had */
export async function assertPortFree(port: number): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return isRecord(address) ? Number(address.port) : port;
}

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => await assertPortFree(0);
