import { Failure } from '../failure.ts';
import { bodyOf, type Fields, FILLED, filledIn, FLAG, TEXT, textIn, textOf } from '../input.ts';
import { Records } from '../records.ts';
import { deletionRoute, listRoute } from './lists.ts';
import { type Call, idIn, type LinkContext, type LinkRoute } from './routes.ts';

const SLUG = textOf('1 to 64 letters, digits, - or _');

export function campaignRoutes({ database, dialect, baseUrl }: LinkContext): LinkRoute[] {
	const campaigns = new Records(database, 'campaigns', 'campaign');
	const links = new Records(database, 'links', 'link');

	/** A slug that no other campaign has; '' for none. */
	const slugIn = ({ body }: Call, id?: number): string | undefined => {
		const slug = textIn(body, 'slug');
		if (slug && campaigns.first("record ->> 'slug' = ? AND id IS NOT ?", slug, id ?? null)) {
			throw new Failure(409, `The slug ${slug} is already taken.`);
		}
		return slug;
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
			body: bodyOf({ name: TEXT, slug: SLUG, public: FLAG }),
			answer(call) {
				const id = campaigns.add(call.accountId, {
					name: filledIn(call.body, 'name') ?? 'Untitled campaign',
					slug: slugIn(call),
					public: call.body.public ?? false,
				});
				return shown(campaigns.get(call.accountId, id), otherKey);
			},
		},
		{
			method: 'POST',
			path: '/api/campaign/:campaignid/assign/:linkid',
			answer(call) {
				const campaign = campaigns.get(call.accountId, idIn(call, 'campaignid', 'campaign'));
				const link = links.get(call.accountId, idIn(call, 'linkid', 'link'));
				links.change(link, { campaign_id: campaign.id });
				return { message: 'The link has been assigned to the campaign.' };
			},
		},
		{
			method: 'PUT',
			path: '/api/campaign/:id/update',
			body: bodyOf({ name: FILLED, slug: SLUG, public: FLAG }, 'name'),
			answer(call) {
				const campaign = campaigns.get(call.accountId, idIn(call, 'id', 'campaign'));
				const changed = campaigns.change(campaign, {
					name: textIn(call.body, 'name'),
					slug: slugIn(call, Number(campaign.id)),
					public: call.body.public,
				});
				return shown(changed, otherKey);
			},
		},
		deletionRoute(campaigns, '/api/campaign/:id/delete'),
	];
}
