import { once } from 'node:events';
import { createServer } from 'node:http';

/** A web site that answers every request with a page: what somebody finds who mistypes an address. */
export interface Website {
	url: string;
	stop(): Promise<void>;
}

export async function startWebsite(): Promise<Website> {
	const server = createServer((_request, response) => {
		response.setHeader('content-type', 'text/html');
		response.end('<!doctype html><title>Welcome</title><h1>Welcome</h1>');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
