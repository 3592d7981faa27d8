import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { htmlPage } from '../html.ts';
import { fieldsOf } from '../input.ts';
import { readFault } from '../faults.ts';
import { type RateLimit, RateLimiter } from '../rateLimit.ts';
import {
	createService,
	isApiPath,
	pathOf,
	queryOf,
	sendHtml,
	type ServiceOptions,
} from '../service.ts';
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
import { page } from './pagination.ts';
import { pixelRoutes } from './pixels.ts';
import { qrCodeRoutes } from './qrCodes.ts';
import type { LinkContext, LinkRoute } from './routes.ts';
import { Records } from './records.ts';
import { sendNotFound, visitRoutes } from './visits.ts';

/** Every endpoint of the link management document. */
export function linkServiceRoutes(context: LinkContext, accounts: Accounts): LinkRoute[] {
	const { database } = context;
	return [
		...accountRoutes(context, accounts),
		...domainRoutes(context),
		new Records(database, 'overlays', 'overlay').list(OVERLAY_PATH, 'cta'),
		...campaignRoutes(context),
		...channelRoutes(context),
		new Records(database, 'splash_pages', 'splash page').list('/api/splash', 'splash'),
		...linkRoutes(context),
		...pixelRoutes(context),
		...qrCodeRoutes(context),
	];
}

const HOUR_MS = 3_600_000;

type SharedOptions = Omit<ServiceOptions, 'name' | 'failureBody' | 'admit'>;

export function createLinkService(
	context: LinkContext,
	accounts: Accounts,
	rateLimit: RateLimit,
	shared: SharedOptions,
): FastifyInstance {
	const { dialect } = context;
	const limiter = new RateLimiter(rateLimit, dialect.limitOverTime === 'changing');
	const dateOf = dating(dialect);

	const { app, apiRequestOf, sendFailure } = createService({
		...shared,
		name: 'link',
		failureBody: (failure) => failureBody(failure, dialect),
		admit(request, reply, { recorded, fault, now }) {
			if (dialect.botCheck === 'cookie' && !request.headers.cookie?.includes(PASSED)) {
				return sendHtml(reply, 200, BOT_CHECK);
			}
			const caller = keyOf(request, dialect) ?? request.ip;
			if (fault?.kind === 'limit-exhausted') limiter.exhaust(caller, recorded.at);
			const verdict = limiter.take(caller, recorded.at);
			if (!verdict) return undefined;
			void reply.headers(rateLimitHeaders(verdict, recorded.at, now - recorded.at, dialect));
			if (verdict.allowed) return undefined;
			const answer = limitAnswer(verdict, recorded.at, now - recorded.at, dialect);
			return reply.code(answer.status).headers(answer.headers).send(answer.body);
		},
	});

	for (const route of linkServiceRoutes(context, accounts)) {
		app.route<{ Params: Record<string, string> }>({
			method: route.method,
			url: route.path,
			handler(request, reply) {
				const { now } = apiRequestOf(request);
				const accountId = accounts.idOf(keyOf(request, dialect));
				if (dialect.apiAccess !== 'allowed') throw new Failure(403, NO_ACCESS[dialect.apiAccess]);
				const call = {
					accountId,
					params: request.params,
					body: fieldsOf(request.body),
					now: route.method === 'POST' ? dateOf(now) : now,
				};
				return reply.send(
					'list' in route
						? listBody(route.path, page(route, call, queryOf(request), dialect), dialect)
						: successBody(route.answer(call), dialect),
				);
			},
		});
	}

	visitRoutes(app, context);
	app.post('/sandbox/faults', (request) => {
		shared.faults.add(readFault(fieldsOf(request.body)));
		return shared.faults.list();
	});
	app.delete('/sandbox/faults', () => {
		shared.faults.clear();
		return [];
	});
	app.setNotFoundHandler((request, reply) =>
		isApiPath(pathOf(request))
			? sendFailure(reply, new Failure(404, `There is no ${request.method} ${pathOf(request)}.`))
			: sendNotFound(reply),
	);
	return app;
}

/** How a dialect dates new records. */
function dating({ dates }: Dialect): (now: number) => number {
	let made = 0;
	return (now) => {
		made += 1;
		return dates === 'back' && made % 2 === 0 ? now - HOUR_MS : now;
	};
}

/** The key of `Authorization: Bearer <API_KEY>`. */
function keyOf({ headers }: FastifyRequest, dialect: Dialect): string | undefined {
	if (dialect.keyHeader === 'removed') return undefined;
	const form = dialect.keyScheme === 'token' ? /^Token +(\S+)$/ : /^Bearer +(\S+)\s*$/i;
	return form.exec(headers.authorization ?? '')?.[1];
}

const NO_ACCESS = {
	'no-permission': 'You do not have the permission to use the API.',
	'not-activated': 'Please activate your account.',
	disabled: 'API service is disabled.',
};

const PASSED = '__test=passed';
const BOT_CHECK = htmlPage(
	'Checking your browser',
	`<script>document.cookie = '${PASSED}'; location.reload();</script>`,
);
