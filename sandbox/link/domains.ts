import { Failure } from '../failure.ts';
import { bodyOf, REFUSED, TEXT, textIn } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute, updateRoute } from './lists.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

const PAGES = { redirectroot: TEXT, redirect404: TEXT };

export function domainRoutes({ database }: LinkContext): LinkRoute[] {
	const domains = new Records(database, 'domains', 'domain');

	return [
		listRoute(database, domains, '/api/domains', 'domains'),
		{
			method: 'POST',
			path: '/api/domain/add',
			body: bodyOf({ domain: TEXT, ...PAGES }, 'domain'),
			answer({ accountId, body }) {
				const { origin, host, hostname } = new URL(textIn(body, 'domain') ?? '');
				// "it must already point to the service's server": the sandbox asks no name server, but some never exist (RFC 2606).
				if (hostname.endsWith('.invalid')) {
					throw new Failure(422, `${hostname} does not point to this server yet.`);
				}
				if (domains.first(IS_ON_HOST, ...originsOf(host))) {
					throw new Failure(409, `${host} is already in use.`);
				}
				const record = { redirectroot: '', redirect404: '', ...body, domain: origin };
				return { id: domains.add(accountId, record) };
			},
		},
		updateRoute(domains, '/api/domain/:id/update', bodyOf({ domain: REFUSED, ...PAGES })),
		deletionRoute(domains, '/api/domain/:id/delete'),
	];
}

/** Whether a domain is one of two, the origins of a host. */
export const IS_ON_HOST = "record ->> 'domain' IN (?, ?)";
export const originsOf = (host: string): [string, string] => [`http://${host}`, `https://${host}`];
