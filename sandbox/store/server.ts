import type { FastifyInstance, FastifyRequest } from 'fastify';
import { idOfKey } from '../accounts.ts';
import { type Dialect, extraMembers } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { type Fields, fieldsOf, textIn } from '../fields.ts';
import type { RateLimit } from '../rateLimit.ts';
import type { Tables } from '../records.ts';
import { createService, isForm, type SharedOptions } from '../service.ts';
import { addPublicRoutes } from './catalogue.ts';
import { checkParameter, type StoreRoute, storeRoutes } from './routes.ts';
import { translated } from './texts.ts';

export function createStoreService(
	tables: Tables,
	rateLimit: RateLimit,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = shared;
	const failureBody = ({ message }: Failure): Fields => ({
		status: translated('error', dialect),
		msg: translated(message, dialect),
		...extraMembers(dialect),
	});

	const app = createService({
		...shared,
		name: 'store',
		failureBody,
		unknownEndpoint: 'Invalid request',
		rateLimit,
		callerOf: ({ ip }) => ip,
		// When the window ends, only a refusal says.
		limitHeaders: ({ allowed, limit, remaining, endsAt }) => ({
			'X-RateLimit-Limit': String(limit),
			'X-RateLimit-Remaining': String(remaining),
			...(allowed
				? {}
				: { 'X-RateLimit-Reset': String(Math.ceil(endsAt / 1000) + dialect.clockSkew) }),
		}),
		overLimit: (seconds) => ({
			status: 429,
			headers: { 'Retry-After': String(seconds) },
			body: failureBody(new Failure(429, 'Too many requests')),
		}),
	});

	const accountOf = (request: FastifyRequest, failure: StoreRoute['failure']): number => {
		const key = keyOf(request, dialect);
		if (dialect.storeShapes === 'installed') checkParameter('api_key', { api_key: key });
		try {
			return idOfKey(tables.storeAccounts, key);
		} catch (refused) {
			throw dialect.storeKeyWords === 'endpoint' ? new Failure(...failure) : refused;
		}
	};
	const routes = Object.entries(storeRoutes(tables, dialect));
	for (const [endpoint, { failure, needs, answer }] of routes) {
		const [method = '', url = ''] = endpoint.split(' ');
		app.route({
			method,
			url,
			handler(request, reply) {
				const accountId = accountOf(request, failure);
				const parameters = { ...fieldsOf(request.query), ...fieldsOf(request.body) };
				if (dialect.storeShapes === 'installed' && needs) checkParameter(needs, parameters);
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
	const header = (headers.api_key ?? headers['x-api-key'])?.toString();
	const body = textIn(fieldsOf(request.body), 'api_key');
	const form = isForm(headers['content-type']) ? body : undefined;
	const isGet = method === 'GET';
	return {
		any: query ?? header ?? body,
		query,
		header,
		// Most clients cannot send a body with a GET, so a service that wants the key in the body takes it from the query.
		body: isGet ? (body ?? query) : body,
		form: isGet ? query : form,
	}[storeKeyPlace];
}
