import { json } from 'node:stream/consumers';

import type { LoopbackServer } from './loopback.ts';
import { serve } from './loopback.ts';

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
