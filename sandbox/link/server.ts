import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../dialects.ts';
import { respond } from '../faults.ts';
import { fieldsOf } from '../fields.ts';
import { type RateLimit, rateLimiter } from '../rateLimit.ts';
import { idOfKey, type Tables } from '../records.ts';
import { createService, type SharedOptions } from '../service.ts';
import { channelRoutes } from './channels.ts';
import { OTHER_MAIN_DOMAIN } from './linkFields.ts';
import { linkRoutes } from './links.ts';
import { qrCodeRoutes } from './qrCodes.ts';
import { resourceRoutes } from './resources.ts';
import type { Call } from './routes.ts';
import { addPublicRoutes } from './visits.ts';

/** Every endpoint of the link management document. */
export function createLinkService(
	tables: Tables,
	rateLimit: RateLimit,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = shared;
	const app = createService('link', shared, ({ message }) => ({ error: 1, message }));
	const onRequest = limited(rateLimit, dialect);
	const routes = {
		...resourceRoutes(tables, dialect),
		...channelRoutes(tables, dialect),
		...linkRoutes(tables, dialect),
		...qrCodeRoutes(tables, dialect),
	};
	for (const [endpoint, { body = {}, querystring = {}, answer }] of Object.entries(routes)) {
		const [method = '', url = ''] = endpoint.split(' ');
		app.route<{ Params: Call['params']; Querystring: Call['query'] }>({
			method,
			url,
			schema: method === 'GET' ? { querystring } : { body },
			onRequest,
			preValidation(request, _reply, done) {
				request.handled.accountId = idOfKey(tables.linkAccounts, keyOf(request));
				done();
			},
			handler({ handled: { accountId, now }, params, query, body }, reply) {
				const baseUrl = app.listeningOrigin;
				const mainUrl = dialect.mainDomain === 'api' ? baseUrl : OTHER_MAIN_DOMAIN;
				const call = { accountId, params, query, body: fieldsOf(body), now, baseUrl, mainUrl };
				return reply.send({ error: 0, ...answer(call) });
			},
		});
	}
	addPublicRoutes(app, tables, dialect);
	return app;
}

/** Counts requests by key, and refuses those over the limit. */
function limited(rateLimit: RateLimit, { clockSkew, rateLimited }: Dialect) {
	const take = rateLimiter(rateLimit);
	const isInBody = rateLimited !== 'retry-after';
	const status = rateLimited === 'body-200' ? 200 : 429;
	return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
		const { recorded, fault } = request.handled;
		const isUsedUp = fault?.kind === 'limit-exhausted';
		const verdict = take(keyOf(request) ?? request.ip, recorded.at, isUsedUp);
		if (verdict) {
			void reply.headers({
				'X-RateLimit-Limit': verdict.limit,
				'X-RateLimit-Remaining': verdict.remaining,
				// Rounded up, so that a client that waits until then has waited long enough
				'X-RateLimit-Reset': Math.ceil(verdict.endsAt / 1000) + clockSkew,
			});
		}
		if (verdict?.allowed !== false) {
			done();
			return;
		}
		const seconds = Math.max(1, Math.ceil((verdict.endsAt - recorded.at) / 1000));
		const wait = { 'Retry-After': seconds };
		const message = 'Too many requests';
		if (isInBody) respond({ status, body: { error: 429, message, ...wait } }, reply);
		else respond({ status, headers: wait, body: { error: 1, message } }, reply);
	};
}

/** The key of `Authorization: Bearer <API_KEY>`; older services have `Token <API_KEY>`. */
const keyOf = ({ headers }: FastifyRequest): string | undefined =>
	/^(?:Bearer|Token) +(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
