import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts.ts';
import { type Dialect, extraMembers } from '../dialects.ts';
import { type Fields, fieldsOf, textIn } from '../input.ts';
import { createService, queryOf, type SharedOptions } from '../service.ts';
import { type StoreContext, type StoreRoute, storeServiceRoutes } from './routes.ts';

/** Headers that may carry the key: the parameter's own name, and the spellings that pass every proxy. */
const KEY_HEADERS = ['api_key', 'api-key', 'x-api-key'];

export function createStoreService(
	context: StoreContext,
	accounts: Accounts,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = context;
	const { app } = createService({
		...shared,
		name: 'store',
		failureBody: ({ message: msg }) => ({ status: 'error', msg, ...extraMembers(dialect) }),
		unknownEndpoint: 'Invalid request',
	});

	const idOf = (key: string | undefined, { failure }: StoreRoute): number => {
		try {
			return accounts.idOf(key);
		} catch (error) {
			throw dialect.storeKeyWords === 'endpoint' ? failure() : error;
		}
	};

	for (const route of storeServiceRoutes(context, accounts)) {
		app.route({
			method: route.method,
			url: route.path,
			handler(request, reply) {
				const body = fieldsOf(request.body);
				const accountId = idOf(keyOf(request, body, dialect), route);
				const parameters = { ...queryOf(request), ...body };
				return reply.send({ status: 'success', ...route.answer({ accountId, parameters }) });
			},
		});
	}

	return app;
}

/** The key, in the place where the dialect looks for it. */
function keyOf(request: FastifyRequest, body: Fields, dialect: Dialect): string | undefined {
	const query = queryOf(request).api_key;
	const header = KEY_HEADERS.map((name) => request.headers[name])
		.find(Boolean)
		?.toString();
	const inBody = textIn(body, 'api_key');
	const isGet = request.method === 'GET';
	switch (dialect.storeKeyPlace) {
		case 'any':
			return query ?? header ?? inBody;
		case 'query':
			return query;
		case 'header':
			return header;
		// Most clients cannot send a body with a GET, so a service that wants the key in the body takes it from the query.
		case 'body':
			return isGet ? (inBody ?? query) : inBody;
		case 'form':
			if (isGet) return query;
			return isForm(request) ? inBody : undefined;
	}
}

const isForm = ({ headers }: FastifyRequest): boolean =>
	headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
