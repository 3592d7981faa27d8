import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from './clock.ts';
import type { Dialect } from './dialects.ts';
import { Failure, KeyRefused } from './failure.ts';
import type { Fault, Faults } from './faults.ts';
import { FAULTY_BODIES } from './faultyBodies.ts';
import { htmlPage } from './html.ts';
import { type Fields, fieldsOf, isRecord } from './input.ts';
import type { RecordedRequest, Recorder, ServiceName } from './recorder.ts';

/** What both services have in common: recording, faults, bodies, failures. */
export interface ServiceOptions {
	name: ServiceName;
	clock: Clock;
	dialect: Dialect;
	recorder: Recorder;
	faults: Faults;
	/** The documented body of a failure. */
	failureBody: (failure: Failure) => Fields;
	/** Called first for every API request; gives the response to one that it refuses. */
	admit: (
		request: FastifyRequest,
		reply: FastifyReply,
		apiRequest: ApiRequest,
	) => FastifyReply | undefined;
}

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
	sendFailure: (reply: FastifyReply, failure: Failure) => FastifyReply;
}

export function createService(options: ServiceOptions): Service {
	const { name, clock, dialect, recorder, faults, failureBody } = options;
	const apiRequests = new WeakMap<FastifyRequest, ApiRequest>();

	const app = fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 200 },
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
		if (!isApiPath(path)) return undefined;
		const fault = faults.take(name, request.method, path);
		const skewSeconds =
			dialect.clockSkew + (fault?.kind === 'skewed-clock' ? (fault.seconds ?? 3600) : 0);
		const at = clock();
		const recorded: RecordedRequest = {
			service: name,
			method: request.method,
			path,
			query: queryOf(request),
			headers: headersOf(request),
			body: undefined,
			status: 0,
			at,
		};
		recorder.begin(recorded);
		const apiRequest = { recorded, fault, now: at + skewSeconds * 1000 };
		apiRequests.set(request, apiRequest);
		void reply.header('date', new Date(apiRequest.now).toUTCString());
		// `reply.sent` is true only after the hooks that follow.
		const refusal = options.admit(request, reply, apiRequest);
		if (refusal) return refusal;
		if (fault) await sufferBefore(fault, request, reply);
		if (fault?.kind === 'drop-before') recorder.finish(recorded, 0);
		return reply.sent ? reply : undefined;
	});
	app.addHook('preValidation', (request, _reply, done) => {
		const apiRequest = apiRequests.get(request);
		if (apiRequest) apiRequest.recorded.body = request.body;
		done();
	});
	app.addHook(
		'preSerialization',
		async (_request, _reply, payload) =>
			await Promise.resolve(dialect.types === 'strings' ? asStrings(payload) : payload),
	);
	app.addHook('onSend', async (request, reply, payload) => {
		const apiRequest = apiRequests.get(request);
		if (!apiRequest) return payload;
		const { recorded, fault } = apiRequest;
		recorded.response = payload;
		if (fault?.kind === 'drop-after') {
			request.raw.socket.destroy();
			recorder.finish(recorded, 0);
			return payload;
		}
		recorder.finish(recorded, reply.statusCode);
		const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
		if (isJson && dialect.contentType === 'javascript') void reply.type('application/javascript');
		if (fault?.kind === 'endless-body') void reply.header('content-encoding', 'gzip');
		const faulty = fault && FAULTY_BODIES[fault.kind];
		return faulty?.(String(payload), keyOf(recorded)) ?? payload;
	});

	const sendFailure = (reply: FastifyReply, failure: Failure): FastifyReply => {
		if (dialect.failureStatus === 'html') {
			return sendHtml(reply, failure.status, htmlPage(`Error ${failure.status}`));
		}
		return reply.code(statusOf(failure, dialect, name === 'link')).send(failureBody(failure));
	};

	app.setErrorHandler((error, _request, reply) => sendFailure(reply, failureOf(error)));
	app.get('/login', (_request, reply) => sendHtml(reply, 200, LOGIN_PAGE));

	return {
		app,
		sendFailure,
		apiRequestOf(request) {
			const apiRequest = apiRequests.get(request);
			if (!apiRequest) throw new Error('This is no API request');
			return apiRequest;
		},
	};
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

export const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Query parameters; the last one of a name counts. */
export function queryOf(request: FastifyRequest): Record<string, string> {
	const start = request.url.indexOf('?');
	return start < 0 ? {} : Object.fromEntries(new URLSearchParams(request.url.slice(start + 1)));
}

export function sendHtml(reply: FastifyReply, status: number, page: string): FastifyReply {
	return reply.code(status).type('text/html; charset=utf-8').send(page);
}

/** Listens on this machine only; gives the base URL. */
export async function listen(app: FastifyInstance, port: number): Promise<string> {
	return await app.listen({ host: '127.0.0.1', port });
}

const DECIMALS = ['balance', 'extended', 'price', 'regular'];
const BOOLEANS = ['downloaded', 'public', 'starred'];

/** Decimals and booleans as services write them that read them from a database. */
function asStrings(value: unknown, name = ''): unknown {
	if (typeof value === 'number' && DECIMALS.includes(name)) return value.toFixed(2);
	if (typeof value === 'boolean' && BOOLEANS.includes(name)) return value ? '1' : 0;
	if (Array.isArray(value)) return value.map((each) => asStrings(each));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([member, each]) => [member, asStrings(each, member)]),
	);
}

const LOGIN_PAGE = htmlPage(
	'Sign in',
	'<form><input name="email"><input name="password" type="password"><button>Sign in</button></form>',
);

function headersOf(request: FastifyRequest): Record<string, string | undefined> {
	return Object.fromEntries(
		Object.entries(request.headers).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.join(', ') : value,
		]),
	);
}

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

async function sufferBefore(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	switch (fault.kind) {
		case 'delay':
			await sleep(fault.milliseconds ?? 1000);
			break;
		case 'drop-before':
			reply.hijack();
			request.raw.socket.destroy();
			break;
		case 'http-500':
		case 'http-502':
		case 'http-503': {
			const status = Number(fault.kind.slice(-3));
			await sendHtml(reply, status, htmlPage(`Error ${status}`));
			break;
		}
		case 'login-redirect':
			await reply.redirect('/login');
			break;
		case 'drip-headers':
		case 'drip-body': {
			reply.hijack();
			const { socket } = request.raw;
			socket.write(`HTTP/1.1 200 OK\r\nX-Slow: a${fault.kind === 'drip-body' ? '\r\n\r\n' : ''}`);
			const timer = setInterval(() => socket.write('a'), 100);
			socket.on('close', () => clearInterval(timer));
			break;
		}
	}
}

/** The key, wherever the request has it. */
function keyOf({ headers, query, body }: RecordedRequest): string {
	const bearer = headers.authorization?.slice('Bearer '.length);
	return bearer ?? headers.api_key ?? query.api_key ?? String(fieldsOf(body).api_key);
}

function statusOf(failure: Failure, dialect: Dialect, isLink: boolean): number {
	if (failure instanceof KeyRefused) return Number(dialect.keyRefused);
	if (failure.status >= 500) return failure.status;
	if (isLink && failure.status === 404 && dialect.unknownRecord === '403') return 403;
	return dialect.failureStatus === 'http200' ? 200 : failure.status;
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
