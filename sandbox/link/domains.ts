import { Failure } from '../failure.ts';
import { bodyOf, FILLED, REFUSED, textIn, textOf } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute } from './lists.ts';
import { idIn, type LinkContext, type LinkRoute } from './routes.ts';

const ADDRESS = textOf('an http or https URL');

export function domainRoutes({ database }: LinkContext): LinkRoute[] {
	const domains = new Records(database, 'domains', 'domain');

	return [
		listRoute(database, domains, '/api/domains', 'domains'),
		{
			method: 'POST',
			path: '/api/domain/add',
			body: bodyOf(
				{ domain: { ...FILLED, ...ADDRESS }, redirectroot: ADDRESS, redirect404: ADDRESS },
				'domain',
			),
			answer({ accountId, body }) {
				const domain = new URL(textIn(body, 'domain') ?? '');
				// "it must already point to the service's server": the sandbox asks no name server, but some never exist (RFC 2606).
				if (domain.hostname.endsWith('.invalid')) {
					throw new Failure(422, `${domain.hostname} does not point to this server yet.`);
				}
				if (domains.first(IS_ON_HOST, ...originsOf(domain.host))) {
					throw new Failure(409, `${domain.host} is already in use.`);
				}
				const id = domains.add(accountId, {
					domain: domain.origin,
					redirectroot: textIn(body, 'redirectroot') ?? '',
					redirect404: textIn(body, 'redirect404') ?? '',
				});
				return { id };
			},
		},
		{
			method: 'PUT',
			path: '/api/domain/:id/update',
			body: bodyOf({ domain: REFUSED, redirectroot: ADDRESS, redirect404: ADDRESS }),
			answer(call) {
				const domain = domains.get(call.accountId, idIn(call, 'id', 'domain'));
				domains.change(domain, {
					redirectroot: textIn(call.body, 'redirectroot'),
					redirect404: textIn(call.body, 'redirect404'),
				});
				return { message: 'The domain has been updated.' };
			},
		},
		deletionRoute(domains, '/api/domain/:id/delete'),
	];
}

/** Whether a domain is one of two, the origins of a host. */
export const IS_ON_HOST = "record ->> 'domain' IN (?, ?)";
export const originsOf = (host: string): [string, string] => [`http://${host}`, `https://${host}`];
