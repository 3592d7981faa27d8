import type { FastifyInstance, FastifyRequest } from 'fastify';
import { idOfKey } from '../accounts.ts';
import { type Dialect, extraMembers } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { fieldsOf, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import { createService, isForm, type SharedOptions } from '../service.ts';
import { storeRoutes } from './routes.ts';

/** Headers that may carry the key: the parameter's own name, and the spellings that pass every proxy. */
const KEY_HEADERS = ['api_key', 'api-key', 'x-api-key'];

export function createStoreService(tables: Tables, shared: SharedOptions): FastifyInstance {
	const { dialect } = shared;
	const app = createService({
		...shared,
		name: 'store',
		failureBody: ({ message: msg }) => ({ status: 'error', msg, ...extraMembers(dialect) }),
		unknownEndpoint: 'Invalid request',
	});

	for (const [endpoint, { failure, answer }] of Object.entries(storeRoutes(tables, dialect))) {
		const [method = '', url = ''] = endpoint.split(' ');
		const accountOf = (request: FastifyRequest): number => {
			try {
				return idOfKey(tables.storeAccounts, keyOf(request, dialect));
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
				const members = answer({ accountId, parameters });
				if (!members) throw new Failure(...failure);
				return reply.send({ status: 'success', ...members });
			},
		});
	}
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
