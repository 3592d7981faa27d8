import { text } from 'node:stream/consumers';

import { serve } from '../../loopback.ts';

/** A store that answers as a test says, for what the sandbox has no setting. */

export interface Asked {
	path: string;
	/** The code that was validated; undefined for all else. */
	code: string | undefined;
	/** How many requests came before. */
	count: number;
}

export interface Answer {
	status?: number;
	/** A text is sent as it is. */
	body: unknown;
}

export const INVALID: Answer = {
	status: 404,
	body: { status: 'error', msg: 'Invalid purchase code' },
};
export const ACCOUNT: Answer = { body: { status: 'success', data: { username: 'dana' } } };

export const valid = (purchase_code: string, members: object = {}): Answer => ({
	body: {
		status: 'success',
		data: { purchase: { purchase_code, date: '2020-01-01T00:00:00Z', ...members } },
	},
});

/** The code of a body that is JSON or a form. */
function codeIn(body: string): string | undefined {
	if (!body.startsWith('{')) return new URLSearchParams(body).get('purchase_code') ?? undefined;
	return (JSON.parse(body) as { purchase_code?: string }).purchase_code;
}

/** Starts it; `await using` ends it. */
export async function storeThat(answer: (asked: Asked) => Answer | Promise<Answer>) {
	const asked: Asked[] = [];
	const server = await serve((request, response) => {
		void text(request).then(async (body) => {
			const each = { path: request.url ?? '', code: codeIn(body), count: asked.length };
			asked.push(each);
			const { status = 200, body: given } = await answer(each);
			// Not the time of Node.js, which the tests may move.
			const date = new Date().toUTCString();
			response.writeHead(status, { 'content-type': 'application/json', date });
			response.end(typeof given === 'string' ? given : JSON.stringify(given));
		});
	});
	const credential = {
		baseUrl: server.url,
		apiKey: 'key-of-a-store-0123456789',
		apiKeyLocation: 'body',
		requestsPerMinute: 0,
	};
	return {
		asked,
		credential,
		/** For a run or a trigger */
		credentials: { storeApi: credential },
		[Symbol.asyncDispose]: async () => await server.stop(),
	};
}
