import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, OrderedResponse } from './faults.ts';

/** What a fault does before the request is handled. */
export async function sufferBefore(
	fault: Fault,
	{ raw: { socket } }: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	switch (fault.kind) {
		case 'delay':
			await sleep(fault.milliseconds ?? 1000);
			break;
		case 'drop-before':
			reply.hijack();
			socket.destroy();
			break;
		case 'drip': {
			reply.hijack();
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			const timer = setInterval(() => socket.write(' '), 100);
			socket.on('close', () => clearInterval(timer));
			break;
		}
	}
}

/** Sends a response that was ordered. */
export function respond(
	{ body = '', status = 200, headers = {} }: OrderedResponse,
	reply: FastifyReply,
): void {
	const isJson = typeof body !== 'string' && !Buffer.isBuffer(body);
	if (isJson) void reply.type('application/json');
	void reply
		.code(status)
		.headers(headers)
		.send(isJson ? JSON.stringify(body) : body);
}
