import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

import { isRecord } from './n8n-host/json.ts';

/** A server of our own, on loopback and a free port. */
export interface LoopbackServer {
	/** Without a trailing slash */
	url: string;
	stop(): Promise<void>;
}

export async function serve(answer: RequestListener): Promise<LoopbackServer> {
	const server = createServer(answer);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = isRecord(address) ? Number(address.port) : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
