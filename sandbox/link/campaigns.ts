import type { Dialect } from '../dialects.ts';
import { bodyOf, type Fields, FLAG, TEXT, textIn } from '../fields.ts';
import type { Tables } from '../records.ts';
import { type Call, deletionRoute, type LinkRoutes, listRoute } from './routes.ts';

const FIELDS = { name: TEXT, slug: { ...TEXT, pattern: '^[A-Za-z0-9_-]{0,64}$' }, public: FLAG };
const USUAL = { name: 'Untitled campaign', slug: '', public: false };

export const campaignRoutes = ({ campaigns, links }: Tables, dialect: Dialect): LinkRoutes => ({
	// The document finds the key "domain" in one entry of a list; here it is the first of a page.
	'GET /api/campaigns': listRoute('campaigns', campaigns, (campaign, call, index) =>
		shown(campaign, call, index === 0 && dialect.campaignName === 'domain' ? 'domain' : 'name'),
	),
	'POST /api/campaign/add': {
		body: bodyOf(FIELDS),
		answer(call) {
			const campaign = { ...USUAL, ...call.body };
			return shown(
				{ id: campaigns.add(call.accountId, campaign), ...campaign },
				call,
				dialect.campaignName,
			);
		},
	},
	'POST /api/campaign/:campaignid/assign/:linkid': {
		answer({ accountId, params }) {
			const { id: campaign } = campaigns.get(accountId, params.campaignid);
			links.change(links.get(accountId, params.linkid).id, { campaign });
			return { message: 'The link has been assigned to the campaign.' };
		},
	},
	'PUT /api/campaign/:id/update': {
		body: bodyOf(FIELDS, 'name'),
		answer(call) {
			const { id } = campaigns.get(call.accountId, call.params.id);
			return shown(campaigns.change(id, call.body), call, dialect.campaignName);
		},
	},
	'DELETE /api/campaign/:id/delete': deletionRoute(campaigns),
});

const shown = (campaign: Fields, { baseUrl }: Call, nameKey: string): Fields => ({
	id: campaign.id,
	[nameKey]: campaign.name,
	public: campaign.public,
	rotator: textIn(campaign, 'slug') ? `${baseUrl}/r/${textIn(campaign, 'slug')}` : false,
	list: `${baseUrl}/campaign/${String(campaign.id)}`,
});
