import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts.ts';
import { fieldsOf } from '../input.ts';
import { type RateLimit, RateLimiter } from '../rateLimit.ts';
import { Records } from '../records.ts';
import { createService, type SharedOptions } from '../service.ts';
import { accountRoutes } from './account.ts';
import {
	OVERLAY_PATH,
	failureBody,
	limitAnswer,
	listBody,
	rateLimitHeaders,
	successBody,
} from './answers.ts';
import { campaignRoutes } from './campaigns.ts';
import { channelRoutes } from './channels.ts';
import { domainRoutes } from './domains.ts';
import { linkRoutes } from './links.ts';
import { listRoute } from './lists.ts';
import { page, type Query, querySchema } from './pagination.ts';
import { pixelRoutes } from './pixels.ts';
import { addPublicRoutes } from './publicRoutes.ts';
import { qrCodeRoutes } from './qrCodes.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

/** Every endpoint of the link management document. */
export function linkServiceRoutes(context: LinkContext, accounts: Accounts): LinkRoute[] {
	const { database } = context;
	return [
		...accountRoutes(context, accounts),
		...domainRoutes(context),
		listRoute(database, new Records(database, 'overlays', 'overlay'), OVERLAY_PATH, 'cta'),
		...campaignRoutes(context),
		...channelRoutes(context),
		listRoute(
			database,
			new Records(database, 'splash_pages', 'splash page'),
			'/api/splash',
			'splash',
		),
		...linkRoutes(context),
		...pixelRoutes(context),
		...qrCodeRoutes(context),
	];
}

export function createLinkService(
	context: LinkContext,
	accounts: Accounts,
	rateLimit: RateLimit,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = context;
	const limiter = new RateLimiter(rateLimit);

	const { app, apiRequestOf } = createService({
		...shared,
		name: 'link',
		failureBody: (failure) => failureBody(failure, dialect),
		unknownEndpoint: 'There is no such endpoint.',
		admit(request, reply, { recorded, fault, now }) {
			const caller = keyOf(request) ?? request.ip;
			if (fault?.kind === 'limit-exhausted') limiter.exhaust(caller, recorded.at);
			const verdict = limiter.take(caller, recorded.at);
			if (!verdict) return undefined;
			void reply.headers(rateLimitHeaders(verdict, now - recorded.at, dialect));
			if (verdict.allowed) return undefined;
			const answer = limitAnswer(verdict, recorded.at, dialect);
			return reply.code(answer.status).headers(answer.headers).send(answer.body);
		},
	});

	const callers = new WeakMap<FastifyRequest, number>();
	for (const route of linkServiceRoutes(context, accounts)) {
		app.route<{ Params: Record<string, string>; Querystring: Query }>({
			method: route.method,
			url: route.path,
			schema: schemaOf(route),
			preValidation(request, _reply, done) {
				callers.set(request, accounts.idOf(keyOf(request)));
				done();
			},
			handler(request, reply) {
				const { now } = apiRequestOf(request);
				const accountId = callers.get(request) ?? 0;
				const call = { accountId, params: request.params, body: fieldsOf(request.body), now };
				return reply.send(
					'list' in route
						? listBody(route.path, page(route, call, request.query, dialect), dialect)
						: successBody(route.answer(call), dialect),
				);
			},
		});
	}

	addPublicRoutes(app, context);
	return app;
}

/** What Fastify checks of a request. */
function schemaOf(route: LinkRoute) {
	if ('list' in route) return { querystring: querySchema(route) };
	return route.body === undefined ? {} : { body: route.body };
}

/** The key of `Authorization: Bearer <API_KEY>`; older services have `Token <API_KEY>`. */
const keyOf = ({ headers }: FastifyRequest): string | undefined =>
	/^(?:Bearer|Token) +(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
