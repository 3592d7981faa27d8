import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from './fields.ts';

/** What can be made to go wrong with a request. */

/** A response that is sent in place of that of the service. */
export interface OrderedResponse {
	/** Default: 200. */
	status?: number | undefined;
	headers?: Record<string, string> | undefined;
	/** Sent without handling the request: a text, a file, or a value as JSON. */
	body?: unknown;
	/** Changes the body of the service's own response instead. */
	change?: ((body: string) => string) | undefined;
}

/** A web page where JSON was expected. */
export const page = (status: number): OrderedResponse => ({
	status,
	headers: { 'content-type': 'text/html; charset=utf-8' },
	body: `<!doctype html><html><h1>Error ${status}</h1></html>`,
});

export type FaultKind =
	| 'http-500'
	| 'http-503'
	| 'login-redirect'
	| 'cut-json'
	| 'empty-body'
	/** The response that is ordered with the fault. */
	| 'respond'
	/** Waits before the request is handled. */
	| 'delay'
	/** Closes the connection without handling the request. */
	| 'drop-before'
	/** Handles the request, then closes the connection without a response. */
	| 'drop-after'
	/** Another client has used up the rate limit window (link service). */
	| 'limit-exhausted';

const RESPONSES: Partial<Record<FaultKind, OrderedResponse>> = {
	'http-500': page(500),
	'http-503': page(503),
	'login-redirect': { status: 302, headers: { location: '/login' } },
	'cut-json': { change: (body) => body.slice(0, Math.floor(body.length / 2)) },
	'empty-body': { change: () => '' },
};

/** What a fault sends in place of the response of the service, if it does. */
export const responseOf = (fault: Fault | undefined): OrderedResponse | undefined =>
	fault?.kind === 'respond' ? fault : fault && RESPONSES[fault.kind];

export interface Fault extends OrderedResponse {
	kind: FaultKind;
	/** How many matching requests suffer it; default 1. */
	times?: number | undefined;
	/** Only requests of this service and method; default: any. */
	service?: ServiceName | undefined;
	method?: string | undefined;
	/** Only requests of this path, which may be written as in the documents, `/api/url/:id`; default: any of the APIs. */
	path?: string | undefined;
	/** Only requests with these parameters in their query. */
	query?: Record<string, string> | undefined;
	/** `delay` only; default 1000. */
	milliseconds?: number | undefined;
}

/** What a fault looks at to see whether it is about a request. */
interface Request {
	service: ServiceName;
	method: string;
	path: string;
	query: Record<string, unknown>;
}

/** The faults that wait for their requests. A request suffers only the first one that matches. */
export class Faults {
	#waiting: Fault[] = [];

	add(fault: Fault): void {
		this.#waiting.push({ times: 1, ...fault });
	}

	clear(): void {
		this.#waiting = [];
	}

	/** The faults that still wait. */
	list(): Fault[] {
		return this.#waiting;
	}

	/** Takes the fault that this request suffers, if any. */
	take(request: Request): Fault | undefined {
		const fault = this.#waiting.find((each) => isAbout(each, request));
		if (fault) fault.times = Number(fault.times) - 1;
		this.#waiting = this.#waiting.filter(({ times }) => Number(times) > 0);
		return fault;
	}
}

const isAbout = (fault: Fault, { service, method, path, query }: Request): boolean =>
	(fault.service ?? service) === service &&
	(fault.method ?? method) === method &&
	matches(fault.path ?? '/api/*', path) &&
	Object.entries(fault.query ?? {}).every(([name, value]) => query[name] === value);

/** Whether a path matches a documented one, whose placeholders match any segment. */
const matches = (pattern: string, path: string): boolean =>
	RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+').replace('*', '.*')}$`).test(path);

/** What a fault does before the request is handled. */
export async function sufferBefore(
	{ kind, milliseconds = 1000 }: Fault,
	{ raw: { socket } }: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	if (kind === 'delay') await sleep(milliseconds, undefined, { ref: false });
	if (kind !== 'drop-before') return;
	reply.hijack();
	socket.destroy();
}

/** Sends a response that was ordered. */
export function respond(
	{ body = '', status = 200, headers = {} }: OrderedResponse,
	reply: FastifyReply,
): FastifyReply {
	const isJson = typeof body !== 'string' && !Buffer.isBuffer(body);
	if (isJson) void reply.type('application/json');
	return reply
		.code(status)
		.headers(headers)
		.send(isJson ? JSON.stringify(body) : body);
}
