import type { IncomingHttpHeaders } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from './clock.ts';
import type { Dialect } from './dialects.ts';
import { Failure, KeyRefused, Undocumented } from './failure.ts';
import { type Fault, type Faults, type OrderedResponse } from './faults.ts';
import { respond, responseOf, sufferBefore } from './faults.ts';
import { type Fields, isRecord, type ServiceName } from './fields.ts';
import { type RateLimit, rateLimiter, type Verdict } from './rateLimit.ts';
import { written } from './written.ts';

/** What both services have in common: recording, faults, bodies, failures, how values are written. */

export interface RecordedRequest {
	service: ServiceName;
	method: string;
	path: string;
	query: Record<string, unknown>;
	headers: IncomingHttpHeaders;
	/** The parsed body; undefined when there was none or it was no JSON. */
	body?: unknown;
	/** Status of the response; 0 while there is none, and for a dropped connection. */
	status: number;
	/** The response as it would have been sent; undefined while there is none. */
	response?: unknown;
	/** Epoch milliseconds of arrival. */
	at: number;
}

/** What both services are given. */
export interface SharedOptions {
	clock: Clock;
	dialect: Dialect;
	faults: Faults;
	/** Every API request in order of arrival. */
	requests: RecordedRequest[];
	/** Called when an API request has been answered. */
	onRequest?: ((request: RecordedRequest) => void) | undefined;
}

interface ServiceOptions extends SharedOptions {
	name: ServiceName;
	/** The documented body of a failure. */
	failureBody: (failure: Failure) => Fields;
	/** What it says of an endpoint that it does not have. */
	unknownEndpoint: string;
	rateLimit: RateLimit;
	/** Whose requests are counted together. */
	callerOf: (request: FastifyRequest) => string;
	/** The headers of a request that is counted. */
	limitHeaders: (verdict: Verdict) => Record<string, string>;
	/** The response to one over the limit, for so many more seconds. */
	overLimit: (seconds: number) => OrderedResponse;
}

/** A request that is being handled. */
interface Handled {
	recorded: RecordedRequest;
	fault: Fault | undefined;
	/** The service's time for this request in epoch milliseconds. */
	now: number;
	/** Whose key it has. */
	accountId: number;
}

declare module 'fastify' {
	interface FastifyRequest {
		handled: Handled;
	}
}

export function createService(options: ServiceOptions): FastifyInstance {
	const { name, clock, dialect, faults, requests, onRequest, failureBody } = options;
	const take = rateLimiter(options.rateLimit);
	const app = fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 200 },
		// As tolerant as a PHP service: 5 for "5", null for an empty text, and fields that it does not know are ignored.
		ajv: { customOptions: { coerceTypes: true, allowUnionTypes: true, removeAdditional: 'all' } },
	});
	app.decorateRequest('handled');
	// The store's document does not say where parameters go, so a GET may have a body.
	app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'*',
		{ parseAs: 'string' },
		async ({ headers }: FastifyRequest, body: string) =>
			await Promise.resolve(parseBody(headers['content-type'], body)),
	);

	app.addHook('onRequest', async (request, reply) => {
		const { method, headers } = request;
		const path = pathOf(request);
		const query = { ...(request.query as Record<string, unknown>) };
		const at = clock();
		const asked = { service: name, method, path, query };
		const recorded: RecordedRequest = { ...asked, headers, status: 0, at };
		const fault = faults.take(asked);
		const now = at + dialect.clockSkew * 1000;
		request.handled = { recorded, fault, now, accountId: 0 };
		if (isApiPath(path)) {
			requests.push(recorded);
			void reply.header('date', new Date(now).toUTCString());
			const isUsedUp = fault?.kind === 'limit-exhausted';
			const verdict = take(options.callerOf(request), at, isUsedUp);
			void reply.headers(verdict ? options.limitHeaders(verdict) : {});
			if (verdict?.allowed === false) {
				const seconds = Math.max(1, Math.ceil((verdict.endsAt - at) / 1000));
				return respond(options.overLimit(seconds), reply);
			}
			if (fault?.kind === 'drop-before') onRequest?.(recorded);
		}
		if (fault) await sufferBefore(fault, request, reply);
		return reply.sent ? reply : undefined;
	});
	app.addHook('preValidation', (request, reply, done) => {
		const { recorded, fault } = request.handled;
		// The schemas turn 5 into "5", and nothing into no fields.
		recorded.body = structuredClone(request.body);
		if (!isRecord(request.body)) request.body = {};
		const ordered = responseOf(fault);
		if (!ordered || ordered.change) done();
		else respond(ordered, reply);
	});
	app.addHook('preSerialization', (_request, _reply, payload, done) => {
		done(null, written(payload, dialect, name));
	});
	app.addHook('onSend', async (request, reply, payload) => {
		const { recorded, fault } = request.handled;
		if (!isApiPath(recorded.path)) return payload;
		recorded.response = payload;
		if (fault?.kind === 'drop-after') request.raw.socket.destroy();
		else recorded.status = reply.statusCode;
		onRequest?.(recorded);
		return responseOf(fault)?.change?.(String(payload)) ?? payload;
	});

	const sendFailure = (reply: FastifyReply, failure: Failure): FastifyReply =>
		reply.code(statusOf(failure, dialect, name)).send(failureBody(failure));

	app.setErrorHandler((error, _request, reply) =>
		error instanceof Undocumented
			? respond(error.response, reply)
			: sendFailure(reply, failureOf(error)),
	);
	app.setNotFoundHandler((request, reply) =>
		isApiPath(pathOf(request))
			? sendFailure(reply, new Failure(404, options.unknownEndpoint))
			: sendNotFound(reply),
	);
	return app;
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Sends a web page, as services do outside their APIs. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
	reply.code(404).type('text/html').send('<!doctype html><html><h1>Page not found</h1></html>');

export const isForm = (contentType = ''): boolean =>
	contentType.startsWith('application/x-www-form-urlencoded');

/** Reads a form if the header says so, and else JSON, whatever the header says. */
function parseBody(contentType: string | undefined, body: string): unknown {
	if (body.trim() === '') return undefined;
	return isForm(contentType) ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

function statusOf(failure: Failure, dialect: Dialect, service: ServiceName): number {
	if (failure instanceof KeyRefused) return Number(dialect.keyRefused);
	const { failureStatus, storeFailureStatus } = dialect;
	const isKept = failure.status === 403 || failure.status >= 500;
	const setting = service === 'link' ? failureStatus : storeFailureStatus;
	return setting === 'http200' && !isKept ? 200 : failure.status;
}

function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	if (error instanceof SyntaxError) return new Failure(400, 'The body is no valid JSON.');
	// What Fastify finds wrong with a request
	if (error instanceof Error && 'validation' in error) return new Failure(422, error.message);
	console.error(error);
	return new Failure(500, 'The sandbox failed to handle this request.');
}
