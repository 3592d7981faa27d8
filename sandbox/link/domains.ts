import type { Dialect } from '../dialects.ts';
import { Failure } from '../failure.ts';
import { bodyOf, REFUSED, TEXT, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import { deletionRoute, type LinkRoutes, listRoute, quiet, updateRoute } from './routes.ts';

const PAGES = { redirectroot: TEXT, redirect404: TEXT };

/** Every account may use it. */
export const SHARED_DOMAIN = 'https://shared.example.net';
const SHARED = { id: null, domain: SHARED_DOMAIN, redirectroot: '', redirect404: '' };

/** The main one, where it is not that of the API. */
export const OTHER_MAIN_DOMAIN = 'https://main.example.net';

const spelled = (domain: unknown, { domainScheme }: Dialect): string =>
	String(domain).replace(/^https/, domainScheme);

export const domainRoutes = ({ domains }: Tables, dialect: Dialect): LinkRoutes => ({
	'GET /api/domains': {
		...listRoute('domains', domains),
		page({ accountId }, range) {
			const own = domains.page(accountId, range);
			const all = dialect.sharedDomains === 'listed' ? [...own, SHARED] : own;
			return all.map(({ domain, ...others }) => ({ ...others, domain: spelled(domain, dialect) }));
		},
	},
	'POST /api/domain/add': {
		body: bodyOf({ domain: TEXT, ...PAGES }, 'domain'),
		answer({ accountId, body }) {
			const { origin, hostname } = new URL(textIn(body, 'domain') ?? '');
			// "it must already point to the service's server": the sandbox asks no name server, but some never exist (RFC 2606).
			if (hostname.endsWith('.invalid')) {
				throw new Failure(422, `${hostname} does not point to this server yet.`);
			}
			const record = { redirectroot: '', redirect404: '', ...body, domain: origin };
			return { id: domains.add(accountId, record) };
		},
	},
	'PUT /api/domain/:id/update': quiet(
		updateRoute(domains, bodyOf({ domain: REFUSED, ...PAGES })),
		dialect,
	),
	'DELETE /api/domain/:id/delete': quiet(deletionRoute(domains), dialect),
});
