import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { idOfKey } from '../accounts.ts';
import { type Dialect, extraMembers } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { respond } from '../faults.ts';
import { type Fields, fieldsOf, textIn } from '../fields.ts';
import { type RateLimit, rateLimiter } from '../rateLimit.ts';
import type { Tables } from '../records.ts';
import { createService, isForm, type SharedOptions } from '../service.ts';
import { addPublicRoutes } from './publicRoutes.ts';
import { checkParameter, storeRoutes } from './routes.ts';
import { translated } from './texts.ts';

/** Headers that may carry the key: the parameter's own name, and the spellings that pass every proxy. */
const KEY_HEADERS = ['api_key', 'api-key', 'x-api-key'];

const BROWSER = /Mozilla|Chrome|Safari|Firefox|Opera/;

export function createStoreService(
	tables: Tables,
	rateLimit: RateLimit,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = shared;
	const take = rateLimiter(rateLimit);
	const failureBody = ({ message }: Failure): Fields => ({
		status: translated('error', dialect),
		msg: translated(message, dialect),
		...extraMembers(dialect),
	});

	/** Counts the request of an address; gives the response to one over the limit. */
	const overLimit = (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
		const { at } = request.handled.recorded;
		const verdict = take(request.ip, at, false);
		if (!verdict) return undefined;
		void reply.header('X-RateLimit-Limit', verdict.limit);
		void reply.header('X-RateLimit-Remaining', verdict.remaining);
		if (verdict.allowed) return undefined;
		void reply.header('X-RateLimit-Reset', Math.ceil(verdict.endsAt / 1000) + dialect.clockSkew);
		void reply.header('Retry-After', Math.max(1, Math.ceil((verdict.endsAt - at) / 1000)));
		return respond(
			{ status: 429, body: failureBody(new Failure(429, 'Too many requests')) },
			reply,
		);
	};

	const app = createService({
		...shared,
		name: 'store',
		failureBody,
		unknownEndpoint: 'Invalid request',
		admit: (request, reply) =>
			dialect.storeBrowsers === 'redirected' && BROWSER.test(request.headers['user-agent'] ?? '')
				? respond({ status: 302, headers: { location: '/' } }, reply)
				: overLimit(request, reply),
	});

	for (const [endpoint, { failure, needs, answer }] of Object.entries(
		storeRoutes(tables, dialect),
	)) {
		const [method = '', url = ''] = endpoint.split(' ');
		const isNamed = dialect.storeParameters === 'named';
		const accountOf = (request: FastifyRequest): number => {
			const key = keyOf(request, dialect);
			if (isNamed) checkParameter('api_key', { api_key: key });
			try {
				return idOfKey(tables.storeAccounts, key);
			} catch (refused) {
				throw dialect.storeKeyWords === 'endpoint' ? new Failure(...failure) : refused;
			}
		};
		app.route({
			method,
			url,
			handler(request, reply) {
				const accountId = accountOf(request);
				const parameters = { ...fieldsOf(request.query), ...fieldsOf(request.body) };
				if (isNamed && needs) checkParameter(needs, parameters);
				const members = answer({ accountId, parameters });
				if (!members) throw new Failure(...failure);
				return reply.send({ status: translated('success', dialect), ...members });
			},
		});
	}
	addPublicRoutes(app, tables, shared.clock);
	return app;
}

/** The key, in the place where the dialect looks for it. */
function keyOf(request: FastifyRequest, { storeKeyPlace }: Dialect): string | undefined {
	const { method, headers } = request;
	const query = textIn(fieldsOf(request.query), 'api_key');
	const header = KEY_HEADERS.map((name) => headers[name])
		.find(Boolean)
		?.toString();
	const body = textIn(fieldsOf(request.body), 'api_key');
	const form = isForm(headers['content-type']) ? body : undefined;
	const isGet = method === 'GET';
	const keys: Record<Dialect['storeKeyPlace'], string | undefined> = {
		any: query ?? header ?? body,
		query,
		header,
		// Most clients cannot send a body with a GET, so a service that wants the key in the body takes it from the query.
		body: isGet ? (body ?? query) : body,
		form: isGet ? query : form,
	};
	return keys[storeKeyPlace];
}
