import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Dialect, extraMembers } from './dialects.ts';
import { Failure, type Fault, type Faults, KeyRefused, page, respond } from './faults.ts';
import { type Clock, type Fields, fieldsOf, isRecord, type ServiceName } from './fields.ts';
import { written } from './written.ts';

/** What both services have in common: recording, faults, bodies, failures, how values are written. */

export interface RecordedRequest {
	service: ServiceName;
	method: string;
	path: string;
	query: Fields;
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

export interface SharedOptions {
	clock: Clock;
	dialect: Dialect;
	faults: Faults;
	/** Every API request in order of arrival. */
	requests: RecordedRequest[];
	/** Called when an API request has been answered. */
	onRequest?: ((request: RecordedRequest) => void) | undefined;
}

declare module 'fastify' {
	interface FastifyRequest {
		handled: {
			recorded: RecordedRequest;
			fault: Fault | undefined;
			/** The service's time for this request in epoch milliseconds. */
			now: number;
			/** Whose key it has. */
			accountId: number;
		};
	}
}

/** @param failureBody the documented body of a failure */
export function createService(
	service: ServiceName,
	shared: SharedOptions,
	failureBody: (failure: Failure) => Fields,
): FastifyInstance {
	const { dialect } = shared;
	const app = tolerantApp();
	addHooks(app, service, shared);
	app.setReplySerializer((payload) =>
		JSON.stringify(payload, (name, value: unknown) => written(name, value, dialect, service)),
	);
	const refuse = (failure: Failure, reply: FastifyReply): FastifyReply =>
		reply
			.code(statusOf(failure, dialect, service))
			.send({ ...failureBody(failure), ...extraMembers(dialect) });
	app.setErrorHandler((error, _request, reply) => refuse(failureOf(error), reply));
	app.setNotFoundHandler((request, reply) =>
		isApiPath(request.handled.recorded.path)
			? refuse(new Failure(404, 'Invalid request'), reply)
			: respond(page(404), reply),
	);
	return app;
}

/** Records the requests, and lets them suffer the faults that are about them. */
function addHooks(
	app: FastifyInstance,
	service: ServiceName,
	{ clock, dialect, faults, requests, onRequest }: SharedOptions,
): void {
	app.decorateRequest('handled');
	app.addHook('onRequest', async (request, reply) => {
		const { method, headers } = request;
		const path = request.url.split('?', 1)[0] ?? '/';
		const query = { ...fieldsOf(request.query) };
		const at = clock();
		const recorded: RecordedRequest = { service, method, path, query, headers, status: 0, at };
		const fault = faults.take(recorded);
		const now = at + dialect.clockSkew * 1000;
		request.handled = { recorded, fault, now, accountId: 0 };
		if (isApiPath(path)) requests.push(recorded);
		void reply.header('date', new Date(now).toUTCString());
		if (fault?.kind === 'delay') await sleep(fault.milliseconds ?? 1000, undefined, { ref: false });
		if (fault?.kind !== 'drop-before') return;
		onRequest?.(recorded);
		reply.hijack();
		request.raw.socket.destroy();
	});
	app.addHook('preValidation', (request, reply, done) => {
		const { recorded, fault } = request.handled;
		// The schemas turn 5 into "5", and nothing into no fields.
		recorded.body = structuredClone(request.body);
		if (!isRecord(request.body)) request.body = {};
		if (fault?.kind === 'respond' && !fault.change) respond(fault, reply);
		else done();
	});
	app.addHook('onSend', async (request, reply, payload) => {
		const { recorded, fault } = request.handled;
		recorded.response = payload;
		if (fault?.kind === 'drop-after') request.raw.socket.destroy();
		else recorded.status = reply.statusCode;
		onRequest?.(recorded);
		return fault?.change?.(String(payload)) ?? payload;
	});
}

/** As tolerant as a PHP service: 5 for "5", null for an empty text, and fields that it does not know are ignored. */
function tolerantApp(): FastifyInstance {
	const app = fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		ajv: { customOptions: { coerceTypes: true, allowUnionTypes: true, removeAdditional: 'all' } },
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'*',
		{ parseAs: 'string' },
		async ({ headers }: FastifyRequest, body: string) =>
			await Promise.resolve(parseBody(headers['content-type'], body)),
	);
	return app;
}

const isApiPath = (path: string): boolean => path.startsWith('/api/');

export const isForm = (contentType = ''): boolean =>
	contentType.startsWith('application/x-www-form-urlencoded');

/** Reads a form if the header says so, and else JSON, whatever the header says. */
function parseBody(contentType: string | undefined, body: string): unknown {
	if (body.trim() === '') return undefined;
	return isForm(contentType) ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

function statusOf(failure: Failure, dialect: Dialect, service: ServiceName): number {
	if (failure instanceof KeyRefused) return Number(dialect.keyRefused);
	const isOk = ['http200', `${service}s200`].includes(dialect.failureStatus);
	return isOk && failure.status < 500 ? 200 : failure.status;
}

function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;
	// What Fastify finds wrong with a request
	if (error instanceof Error && 'validation' in error) return new Failure(422, error.message);
	console.error(error);
	return new Failure(500, 'The sandbox failed to handle this request.');
}
