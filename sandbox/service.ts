import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from './clock.ts';
import type { Dialect } from './dialects.ts';
import { Failure, KeyRefused } from './failure.ts';
import { type Fault, type Faults, responseOf } from './faults.ts';
import { respond, sufferBefore } from './suffer.ts';
import { written } from './written.ts';
import { failureOfInput, type Fields, isRecord, VALIDATION } from './input.ts';
import type { RecordedRequest, Recorder, ServiceName } from './recorder.ts';

/** What both services have in common: recording, faults, bodies, failures, how values are written. */

export interface ServiceOptions {
	name: ServiceName;
	clock: Clock;
	dialect: Dialect;
	recorder: Recorder;
	faults: Faults;
	/** The documented body of a failure. */
	failureBody: (failure: Failure) => Fields;
	/** What it says of an endpoint that it does not have. */
	unknownEndpoint: string;
	/** Called first for every API request; gives the response to one that it refuses. */
	admit?: (
		request: FastifyRequest,
		reply: FastifyReply,
		apiRequest: ApiRequest,
	) => FastifyReply | undefined;
}

/** What both services are given. */
export type SharedOptions = Pick<ServiceOptions, 'clock' | 'dialect' | 'recorder' | 'faults'>;

/** An API request that is being handled. */
export interface ApiRequest {
	recorded: RecordedRequest;
	fault: Fault | undefined;
	/** The service's time for this request in epoch milliseconds. */
	now: number;
}

export interface Service {
	app: FastifyInstance;
	apiRequestOf: (request: FastifyRequest) => ApiRequest;
}

export function createService(options: ServiceOptions): Service {
	const { name, clock, dialect, recorder, faults, failureBody } = options;
	const handled = new WeakMap<FastifyRequest, ApiRequest>();

	const app = fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 200 },
		ajv: { customOptions: VALIDATION },
		schemaErrorFormatter: failureOfInput,
	});
	// The store's document does not say where parameters go, so a GET may have a body.
	app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'*',
		{ parseAs: 'string' },
		async (request: FastifyRequest, body: string) =>
			await Promise.resolve(parseBody(request.headers['content-type'], body)),
	);

	app.addHook('onRequest', async (request, reply) => {
		const path = pathOf(request);
		const recorded: RecordedRequest = {
			service: name,
			method: request.method,
			path,
			query: queryOf(request),
			headers: headersOf(request),
			body: undefined,
			status: 0,
			at: clock(),
		};
		const fault = faults.take(name, request.method, path, recorded.query);
		const apiRequest = { recorded, fault, now: recorded.at + dialect.clockSkew * 1000 };
		handled.set(request, apiRequest);
		if (isApiPath(path)) {
			recorder.requests.push(recorded);
			void reply.header('date', new Date(apiRequest.now).toUTCString());
			const refusal = options.admit?.(request, reply, apiRequest);
			if (refusal) return refusal;
			if (fault?.kind === 'drop-before') recorder.onRequest?.(recorded);
		}
		if (fault) await sufferBefore(fault, request, reply);
		return reply.sent ? reply : undefined;
	});
	app.addHook('preValidation', (request, reply, done) => {
		const { recorded, fault } = handled.get(request) ?? {};
		// The schemas turn 5 into "5", and nothing into no fields.
		if (recorded) recorded.body = structuredClone(request.body);
		if (!isRecord(request.body)) request.body = {};
		const ordered = responseOf(fault);
		if (!ordered || ordered.change) done();
		else respond(ordered, reply);
	});
	app.addHook(
		'preSerialization',
		async (_request, _reply, payload) => await Promise.resolve(written(payload, dialect, name)),
	);
	app.addHook('onSend', async (request, reply, payload) => {
		const { recorded, fault } = handled.get(request) ?? {};
		if (!recorded || !isApiPath(recorded.path)) return payload;
		recorded.response = payload;
		if (fault?.kind === 'drop-after') request.raw.socket.destroy();
		else recorded.status = reply.statusCode;
		recorder.onRequest?.(recorded);
		const { change, status, headers } = responseOf(fault) ?? {};
		if (!change) return payload;
		void reply.code(status ?? reply.statusCode).headers(headers ?? {});
		return change(String(payload));
	});

	const sendFailure = (reply: FastifyReply, failure: Failure): FastifyReply =>
		reply.code(statusOf(failure, dialect)).send(failureBody(failure));

	app.setErrorHandler((error, _request, reply) => sendFailure(reply, failureOf(error)));
	app.setNotFoundHandler((request, reply) =>
		isApiPath(pathOf(request))
			? sendFailure(reply, new Failure(404, options.unknownEndpoint))
			: sendPage(reply, 404, 'Page not found'),
	);

	return {
		app,
		apiRequestOf(request) {
			const apiRequest = handled.get(request);
			if (!apiRequest) throw new Error('This request is not handled');
			return apiRequest;
		},
	};
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Query parameters; the last one of a name counts. */
export function queryOf(request: FastifyRequest): Record<string, string> {
	const start = request.url.indexOf('?');
	return start < 0 ? {} : Object.fromEntries(new URLSearchParams(request.url.slice(start + 1)));
}

/** Sends a web page, as services do outside their APIs. */
export function sendPage(reply: FastifyReply, status: number, title: string): FastifyReply {
	const page = `<!doctype html><html><title>${title}</title><h1>${title}</h1></html>`;
	return reply.code(status).type('text/html; charset=utf-8').send(page);
}

/** Listens on this machine only; gives the base URL. */
export async function listen(app: FastifyInstance, port: number): Promise<string> {
	return await app.listen({ host: '127.0.0.1', port });
}

const headersOf = (request: FastifyRequest): Record<string, string | undefined> =>
	Object.fromEntries(
		Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
	);

/** Reads a form if the header says so, and else JSON, whatever the header says. */
function parseBody(contentType: string | undefined, body: string): unknown {
	if (body.trim() === '') return undefined;
	if (contentType?.startsWith('application/x-www-form-urlencoded')) {
		return Object.fromEntries(new URLSearchParams(body));
	}
	try {
		return JSON.parse(body);
	} catch {
		throw new Failure(400, 'The body is no valid JSON.');
	}
}

function statusOf(failure: Failure, dialect: Dialect): number {
	if (failure instanceof KeyRefused) return Number(dialect.keyRefused);
	return dialect.failureStatus === 'http200' && failure.status < 500 ? 200 : failure.status;
}

function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
	if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) {
		return new Failure(status, error.message);
	}
	console.error(error);
	return new Failure(500, 'The sandbox failed to handle this request.');
}
