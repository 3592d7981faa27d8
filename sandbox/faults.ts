import type { FastifyReply } from 'fastify';
import type { ServiceName } from './fields.ts';
import type { RecordedRequest } from './service.ts';

/** What goes wrong with a request: the service refuses it, or a test has ordered it. */

/** A request that the service refuses, in the documented shape. A dialect may send another HTTP status than `status`. */
export class Failure extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

/** The key is missing or unknown; its status is a setting of the dialect. */
export class KeyRefused extends Failure {
	constructor() {
		super(401, 'A valid API key is required to use this service.');
	}
}

/** A response that is sent in place of that of the service. */
interface OrderedResponse {
	/** Default: 200. */
	status?: number | undefined;
	headers?: Record<string, string | number> | undefined;
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

/** What these faults send. */
const RESPONSES: Partial<Record<FaultKind, OrderedResponse>> = {
	'http-500': page(500),
	'http-503': page(503),
	'login-redirect': { status: 302, headers: { location: '/login' } },
	'cut-json': { change: (body) => body.slice(0, Math.floor(body.length / 2)) },
	'empty-body': { change: () => '' },
};

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

export interface Fault extends OrderedResponse {
	kind: FaultKind;
	/** How many matching requests suffer it; default 1. */
	times?: number;
	/** Only requests of these; default: any of the APIs. The path may be written as in the documents, `/api/url/:id`. */
	service?: ServiceName;
	method?: string | undefined;
	path?: string | undefined;
	query?: Record<string, string>;
	/** `delay` only; default 1000. */
	milliseconds?: number;
}

/** The faults that wait for their requests. A request suffers only the first one that matches. */
export class Faults {
	/** Those that send a response are of the kind `respond` here. */
	waiting: Array<Fault & { times: number }> = [];

	add({ times = 1, ...fault }: Fault): void {
		const response = RESPONSES[fault.kind];
		this.waiting.push({ ...fault, times, ...(response && { kind: 'respond', ...response }) });
	}

	clear(): void {
		this.waiting = [];
	}

	/** Takes the fault that this request suffers, if any. */
	take(request: Pick<RecordedRequest, 'service' | 'method' | 'path' | 'query'>): Fault | undefined {
		const fault = this.waiting.find((each) => isAbout(each, request));
		if (fault) fault.times -= 1;
		this.waiting = this.waiting.filter(({ times }) => times > 0);
		return fault;
	}
}

const isAbout = (
	{ service, method, path = '/api/*', query = {} }: Fault,
	request: Parameters<Faults['take']>[0],
): boolean =>
	(service ?? request.service) === request.service &&
	(method ?? request.method) === request.method &&
	RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace('*', '.*')}$`).test(request.path) &&
	Object.entries(query).every(([name, value]) => request.query[name] === value);

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
