import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../faults.ts';
import { fieldsOf, textIn } from '../fields.ts';
import { idOfKey, type Tables } from '../records.ts';
import { createService, isForm, type SharedOptions } from '../service.ts';
import { addPublicRoutes } from './catalogue.ts';
import { checkParameter, storeRoutes, translated } from './routes.ts';

export function createStoreService(tables: Tables, shared: SharedOptions): FastifyInstance {
	const { dialect } = shared;
	const app = createService('store', shared, ({ message }) => ({
		status: translated('error', dialect),
		msg: translated(message, dialect),
	}));
	const isStrict = dialect.storeShapes === 'installed';
	const routes = Object.entries(storeRoutes(tables, dialect));
	for (const [endpoint, { failure, needs, answer }] of routes) {
		const [method = '', url = ''] = endpoint.split(' ');
		app.route({
			method,
			url,
			handler(request, reply) {
				const key = keyOf(request, dialect);
				const parameters = { ...fieldsOf(request.query), ...fieldsOf(request.body) };
				if (isStrict) checkParameter('api_key', { api_key: key });
				const refusal = isStrict ? new Failure(...failure) : undefined;
				const accountId = idOfKey(tables.storeAccounts, key, refusal);
				if (isStrict && needs) checkParameter(needs, parameters);
				const members = answer(accountId, parameters);
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
		body: isGet ? query : body,
		form: isGet ? query : form,
	}[storeKeyPlace];
}
