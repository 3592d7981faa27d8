import type { Dialect } from '../dialects.ts';
import { Failure } from '../faults.ts';
import { bodyOf, datetime, DAY_MS, type Fields, FLAG, oneOf, TEXT, textIn } from '../fields.ts';
import { type Tables, usernameOf } from '../records.ts';
import { SHARED_DOMAIN } from './linkFields.ts';
import { type Call, type LinkRoutes, listRoute, recordRoutes, sourceOf } from './routes.ts';

/** Account, domains, overlays, splash pages, campaigns and pixels. */
export const resourceRoutes = (tables: Tables, dialect: Dialect): LinkRoutes => ({
	...accountRoutes(tables),
	...domainRoutes(tables, dialect),
	'GET /api/overlay': listRoute(
		dialect.shapes === 'documented' ? 'cta' : 'overlay',
		sourceOf(tables.overlays),
		dialect,
	),
	'GET /api/splash': listRoute('splash', sourceOf(tables.splashPages), dialect),
	...campaignRoutes(tables, dialect),
	...pixelRoutes(tables, dialect),
});

const accountRoutes = ({ linkAccounts }: Tables): LinkRoutes => ({
	'GET /api/account': {
		answer({ accountId, baseUrl }) {
			const account = linkAccounts.get(0, accountId);
			const registered = Number(account.registered);
			return {
				data: {
					id: accountId,
					email: account.email,
					username: usernameOf(account),
					avatar: `${baseUrl}/avatar/${accountId}.svg`,
					status: 'pro',
					expires: datetime(registered + 365 * DAY_MS),
					registered: datetime(registered),
				},
			};
		},
	},
	'PUT /api/account/update': {
		body: bodyOf({ email: { ...TEXT, format: 'email' }, password: TEXT }),
		answer({ accountId, body: { email } }) {
			if (email) linkAccounts.change(accountId, { email });
			return { message: 'The account has been updated.' };
		},
	},
});

const PAGES = { redirectroot: TEXT, redirect404: TEXT };
const WITHOUT_PAGES = { redirectroot: '', redirect404: '' };
const SHARED = { ...WITHOUT_PAGES, id: null, domain: SHARED_DOMAIN };

function domainRoutes({ domains }: Tables, dialect: Dialect): LinkRoutes {
	const own = sourceOf(domains);
	const shared = dialect.sharedDomains === 'listed' ? [SHARED] : [];
	const page: typeof own.page = (call, range) => [...own.page(call, range), ...shared];
	return {
		'GET /api/domains': listRoute('domains', { ...own, page }, dialect),
		...recordRoutes('/api/domain', domains, {
			create: bodyOf({ domain: TEXT, ...PAGES }, 'domain'),
			made({ body }) {
				const { origin, hostname } = new URL(textIn(body, 'domain') ?? '');
				// "it must already point to the service's server": the sandbox asks no name server, but some never exist (RFC 2606).
				if (hostname.endsWith('.invalid')) {
					throw new Failure(422, `${hostname} does not point to this server yet.`);
				}
				return { ...WITHOUT_PAGES, ...body, domain: origin };
			},
			update: bodyOf({ domain: false, ...PAGES }),
		}),
	};
}

const CAMPAIGN = { name: TEXT, slug: { ...TEXT, pattern: '^[A-Za-z0-9_-]{0,64}$' }, public: FLAG };
const USUAL_CAMPAIGN = { name: 'Untitled campaign', slug: '', public: false };

function campaignRoutes({ campaigns, links }: Tables, dialect: Dialect): LinkRoutes {
	const isDocumented = dialect.shapes === 'documented';
	const written = (campaign: Fields, call: Call): Fields =>
		shownCampaign(campaign, call, isDocumented ? 'domain' : 'campaign');
	// The document finds the key "domain" in one entry of a list; here it is the first of a page.
	const source = sourceOf(campaigns, (campaign, call, index) =>
		shownCampaign(campaign, call, index === 0 && isDocumented ? 'domain' : 'name'),
	);
	return {
		'GET /api/campaigns': listRoute('campaigns', source, dialect),
		...recordRoutes('/api/campaign', campaigns, {
			create: bodyOf(CAMPAIGN),
			made: ({ body }) => ({ ...USUAL_CAMPAIGN, ...body }),
			created: written,
			update: bodyOf(CAMPAIGN, 'name'),
			updated: written,
		}),
		'POST /api/campaign/:campaignid/assign/:linkid': {
			answer({ accountId, params }) {
				const { id: campaign } = campaigns.get(accountId, params.campaignid);
				links.change(links.get(accountId, params.linkid).id, { campaign });
				return { message: 'The link has been assigned to the campaign.' };
			},
		},
	};
}

const shownCampaign = (campaign: Fields, { baseUrl }: Call, nameKey: string): Fields => ({
	id: campaign.id,
	[nameKey]: campaign.name,
	public: campaign.public,
	rotator: textIn(campaign, 'slug') ? `${baseUrl}/r/${textIn(campaign, 'slug')}` : false,
	list: `${baseUrl}/campaign/${String(campaign.id)}`,
});

/** The same kinds in the same order. */
export const PIXEL_TYPES: Record<Dialect['shapes'], readonly string[]> = {
	documented: (
		'tagmanagerpixel analyticspixel socialapixel adspixel professionalnetworkpixel ' +
		'microblogpixel retargetingpixel qapixel pinboard searchengine messaging forum shortvideo'
	).split(' '),
	installed: (
		'gtmpixel gapixel fbpixel adwordspixel linkedinpixel twitterpixel ' +
		'adrollpixel quorapixel pinterest bing snapchat reddit tiktok'
	).split(' '),
};

const pixelRoutes = ({ pixels }: Tables, dialect: Dialect): LinkRoutes => ({
	'GET /api/pixels': listRoute('pixels', sourceOf(pixels), dialect),
	...recordRoutes('/api/pixel', pixels, {
		create: bodyOf(
			{ type: oneOf(PIXEL_TYPES[dialect.shapes]), name: TEXT, tag: TEXT },
			...['type', 'name', 'tag'],
		),
		made: ({ body, now }) => ({ ...body, date: datetime(now) }),
		update: bodyOf({ type: false, name: TEXT, tag: TEXT }, 'tag'),
	}),
});
