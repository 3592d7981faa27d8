import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

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

/** A web site that answers every request with a page: what somebody finds who mistypes an address. */
export async function startWebsite(): Promise<LoopbackServer> {
	return await serve((_request, response) => {
		response.setHeader('content-type', 'text/html');
		response.end('<!doctype html><title>Welcome</title><h1>Welcome</h1>');
	});
}

/** A chat with an incoming webhook, as team chats have it: what is posted to its address appears there. */
export interface Chat extends LoopbackServer {
	/** The bodies that were posted, in the order of their arrival */
	posts: unknown[];
}

export async function startChat(): Promise<Chat> {
	const posts: unknown[] = [];
	const server = await serve((request, response) => {
		void json(request).then((body) => {
			posts.push(body);
			response.end('ok');
		});
	});
	return { ...server, posts };
}
