import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { idOfKey } from '../accounts.ts';
import type { Dialect } from '../dialects.ts';
import { respond } from '../faults.ts';
import { fieldsOf } from '../fields.ts';
import { type RateLimit, rateLimiter } from '../rateLimit.ts';
import type { Tables } from '../records.ts';
import { createService, type SharedOptions } from '../service.ts';
import { accountRoutes } from './account.ts';
import { failureBody, limitAnswer, listBody, rateLimitHeaders, successBody } from './answers.ts';
import { campaignRoutes } from './campaigns.ts';
import { channelRoutes } from './channels.ts';
import { domainRoutes } from './domains.ts';
import { linkRoutes } from './links.ts';
import { pageOf, type Query, querySchema } from './pages.ts';
import { pixelRoutes } from './pixels.ts';
import { addPublicRoutes } from './publicRoutes.ts';
import { qrCodeRoutes } from './qrCodes.ts';
import { type LinkRoutes, listRoute } from './routes.ts';

/** Every endpoint of the link management document. */
const routesOf = (tables: Tables, dialect: Dialect): LinkRoutes => ({
	...accountRoutes(tables),
	...domainRoutes(tables),
	'GET /api/overlay': listRoute('cta', tables.overlays),
	...campaignRoutes(tables),
	...channelRoutes(tables),
	'GET /api/splash': listRoute('splash', tables.splashPages),
	...linkRoutes(tables, dialect),
	...pixelRoutes(tables),
	...qrCodeRoutes(tables, dialect),
});

export function createLinkService(
	tables: Tables,
	rateLimit: RateLimit,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = shared;
	const take = rateLimiter(rateLimit);

	const app = createService({
		...shared,
		name: 'link',
		failureBody: (failure) => failureBody(failure, dialect),
		unknownEndpoint: 'There is no such endpoint.',
		admit(request: FastifyRequest, reply: FastifyReply) {
			const { fault, recorded } = request.handled;
			const isUsedUp = fault?.kind === 'limit-exhausted';
			const verdict = take(keyOf(request) ?? request.ip, recorded.at, isUsedUp);
			if (!verdict) return undefined;
			void reply.headers(rateLimitHeaders(verdict, dialect));
			const seconds = Math.max(1, Math.ceil((verdict.endsAt - recorded.at) / 1000));
			return verdict.allowed ? undefined : respond(limitAnswer(seconds, dialect), reply);
		},
	});

	for (const [endpoint, route] of Object.entries(routesOf(tables, dialect))) {
		const [method = '', url = ''] = endpoint.split(' ');
		app.route<{ Params: Record<string, string>; Querystring: Query }>({
			method,
			url,
			schema: 'list' in route ? { querystring: querySchema(route) } : { body: route.body ?? {} },
			preValidation(request, _reply, done) {
				request.handled.accountId = idOfKey(tables.linkAccounts, keyOf(request));
				done();
			},
			handler({ handled, params, query, body }, reply) {
				const { accountId, now } = handled;
				const baseUrl = app.listeningOrigin;
				const call = { accountId, params, body: fieldsOf(body), now, baseUrl };
				return reply.send(
					'list' in route
						? listBody(route.list, pageOf(route, call, query, dialect), dialect)
						: successBody(route.answer(call), dialect),
				);
			},
		});
	}

	addPublicRoutes(app, tables);
	return app;
}

/** The key of `Authorization: Bearer <API_KEY>`; older services have `Token <API_KEY>`. */
const keyOf = ({ headers }: FastifyRequest): string | undefined =>
	/^(?:Bearer|Token) +(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
