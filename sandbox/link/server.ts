import type { FastifyInstance, FastifyRequest } from 'fastify';
import { idOfKey } from '../accounts.ts';
import type { Dialect } from '../dialects.ts';
import { respond } from '../faults.ts';
import { fieldsOf } from '../fields.ts';
import type { RateLimit } from '../rateLimit.ts';
import type { Tables } from '../records.ts';
import { createService, type SharedOptions } from '../service.ts';
import {
	failureBody,
	limitAnswer,
	listBody,
	pageOf,
	querySchema,
	rateLimitHeaders,
} from './answers.ts';
import { channelRoutes } from './channels.ts';
import { OTHER_MAIN_DOMAIN } from './linkAddress.ts';
import { linkRoutes } from './links.ts';
import { addPublicRoutes } from './publicRoutes.ts';
import { qrCodeRoutes } from './qrCodes.ts';
import { resourceRoutes } from './resources.ts';
import type { Call, LinkRoutes, Query } from './routes.ts';

/** Every endpoint of the link management document. */
const routesOf = (tables: Tables, dialect: Dialect): LinkRoutes => ({
	...resourceRoutes(tables, dialect),
	...channelRoutes(tables, dialect),
	...linkRoutes(tables, dialect),
	...qrCodeRoutes(tables, dialect),
});

export function createLinkService(
	tables: Tables,
	rateLimit: RateLimit,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = shared;
	const app = createService({
		...shared,
		name: 'link',
		failureBody: (failure) => failureBody(failure, dialect),
		unknownEndpoint: 'There is no such endpoint.',
		rateLimit,
		callerOf: (request) => keyOf(request) ?? request.ip,
		limitHeaders: (verdict) => rateLimitHeaders(verdict, dialect),
		overLimit: (seconds) => limitAnswer(seconds, dialect),
	});

	for (const [endpoint, route] of Object.entries(routesOf(tables, dialect))) {
		const [method = '', url = ''] = endpoint.split(' ');
		app.route<{ Params: Record<string, string>; Querystring: Query }>({
			method,
			url,
			schema: 'list' in route ? { querystring: querySchema(route) } : { body: route.body ?? {} },
			preValidation(request, reply, done) {
				request.handled.accountId = idOfKey(tables.linkAccounts, keyOf(request));
				if (dialect.keyScope === 'all' || /^\/api\/urls?\b/.test(url)) done();
				else respond({ body: OUT_OF_SCOPE }, reply);
			},
			handler({ handled, params, query, body }, reply) {
				const { accountId, now } = handled;
				const baseUrl = app.listeningOrigin;
				const mainUrl = dialect.mainDomain === 'api' ? baseUrl : OTHER_MAIN_DOMAIN;
				const given = { accountId, params, query, body: fieldsOf(body) };
				const call: Call = { ...given, now, baseUrl, mainUrl };
				const single = 'list' in route ? route.single?.(call) : route.answer(call);
				return reply.send(
					'list' in route && !single
						? listBody(route.list, pageOf(route, call, dialect), dialect)
						: { error: 0, ...single },
				);
			},
		});
	}

	addPublicRoutes(app, tables, dialect);
	return app;
}

/** A key that is limited to some resources. */
const OUT_OF_SCOPE = { error: true, message: 'This key may not use this resource.' };

/** The key of `Authorization: Bearer <API_KEY>`; older services have `Token <API_KEY>`. */
const keyOf = ({ headers }: FastifyRequest): string | undefined =>
	/^(?:Bearer|Token) +(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
