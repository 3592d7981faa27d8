import { Failure } from '../failure.ts';
import { bodyOf, type Fields, FLAG, SLUG, TEXT, textIn } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute } from './lists.ts';
import { idIn, type LinkContext, type LinkRoute } from './routes.ts';

const FIELDS = { name: TEXT, slug: SLUG, public: FLAG };

export function campaignRoutes({ database, dialect, baseUrl }: LinkContext): LinkRoute[] {
	const campaigns = new Records(database, 'campaigns', 'campaign');
	const links = new Records(database, 'links', 'link');

	const checkSlug = (body: Fields, id: number | null): void => {
		const slug = textIn(body, 'slug');
		if (slug && campaigns.first("record ->> 'slug' = ? AND id IS NOT ?", slug, id)) {
			throw new Failure(409, `The slug ${slug} is already taken.`);
		}
	};

	const shown = (campaign: Fields, nameKey: 'name' | 'domain'): Fields => ({
		id: campaign.id,
		[nameKey]: campaign.name,
		public: campaign.public,
		rotator: textIn(campaign, 'slug') ? `${baseUrl()}/r/${textIn(campaign, 'slug')}` : false,
		list: `${baseUrl()}/campaign/${String(campaign.id)}`,
	});
	const isSwapped = dialect.campaignName === 'swapped';
	const usualKey = isSwapped ? 'domain' : 'name';
	const otherKey = isSwapped ? 'name' : 'domain';

	return [
		// The document finds the other key "in one list entry"; here it is the first of a page.
		listRoute(database, campaigns, '/api/campaigns', 'campaigns', (campaign, index) =>
			shown(campaign, index ? usualKey : otherKey),
		),
		{
			method: 'POST',
			path: '/api/campaign/add',
			body: bodyOf(FIELDS),
			answer({ accountId, body }) {
				checkSlug(body, null);
				const usual = { name: 'Untitled campaign', slug: '', public: false };
				const id = campaigns.add(accountId, { ...usual, ...body });
				return shown(campaigns.get(accountId, id), otherKey);
			},
		},
		{
			method: 'POST',
			path: '/api/campaign/:campaignid/assign/:linkid',
			answer(call) {
				campaigns.get(call.accountId, idIn(call, 'campaignid', 'campaign'));
				links.get(call.accountId, idIn(call, 'linkid', 'link'));
				return { message: 'The link has been assigned to the campaign.' };
			},
		},
		{
			method: 'PUT',
			path: '/api/campaign/:id/update',
			body: bodyOf(FIELDS, 'name'),
			answer(call) {
				const campaign = campaigns.get(call.accountId, idIn(call, 'id', 'campaign'));
				checkSlug(call.body, Number(campaign.id));
				return shown(campaigns.change(campaign, call.body), otherKey);
			},
		},
		deletionRoute(campaigns, '/api/campaign/:id/delete'),
	];
}
