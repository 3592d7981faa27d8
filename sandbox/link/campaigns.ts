import { Failure } from '../failure.ts';
import { type Fields, nonEmpty, readFlag, readRequiredText, readText } from '../input.ts';
import { Records } from './records.ts';
import { type Call, idIn, type LinkContext, type LinkRoute, unknownId } from './routes.ts';

const SLUG = /^[A-Za-z0-9_-]{1,64}$/;
const DEFAULT_NAME = 'Untitled campaign';

export function campaignRoutes({ database, dialect, baseUrl }: LinkContext): LinkRoute[] {
	const campaigns = new Records(database, 'campaigns', 'campaign');
	const assign = database.prepare(
		'UPDATE links SET campaign_id = ? WHERE account_id = ? AND id = ?',
	);

	/** A slug that no other campaign has; null for none. */
	const slugIn = ({ body }: Call, id?: number): string | null | undefined => {
		const slug = readText(body, 'slug')?.trim();
		if (!slug) return slug === undefined ? undefined : null;
		if (!SLUG.test(slug)) {
			throw new Failure(422, 'slug must have 1 to 64 letters, digits, - or _ and nothing else.');
		}
		const holder = campaigns.idWith('slug', slug);
		if (holder !== undefined && holder !== id) {
			throw new Failure(409, `The slug ${slug} is already taken.`);
		}
		return slug;
	};

	const shown = (campaign: Fields, nameKey: 'name' | 'domain'): Fields => ({
		id: campaign.id,
		[nameKey]: campaign.name,
		public: campaign.public,
		rotator: typeof campaign.slug === 'string' ? `${baseUrl()}/r/${campaign.slug}` : false,
		list: `${baseUrl()}/campaign/${String(campaign.id)}`,
	});
	const swapped = dialect.campaignName === 'swapped';
	const usualKey = swapped ? 'domain' : 'name';
	const otherKey = swapped ? 'name' : 'domain';

	return [
		// The document finds the other key "in one list entry"; here it is the first of a page.
		campaigns.list('/api/campaigns', 'campaigns', (campaign, index) =>
			shown(campaign, index ? usualKey : otherKey),
		),
		{
			method: 'POST',
			path: '/api/campaign/add',
			answer(call) {
				const id = campaigns.add(call.accountId, {
					name: nonEmpty(readText(call.body, 'name')?.trim()) ?? DEFAULT_NAME,
					slug: slugIn(call) ?? null,
					public: readFlag(call.body, 'public') ?? false,
				});
				return shown(campaigns.get(call.accountId, id), otherKey);
			},
		},
		{
			method: 'POST',
			path: '/api/campaign/:campaignid/assign/:linkid',
			answer(call) {
				const campaignId = idIn(call, 'campaignid', 'campaign');
				const linkId = idIn(call, 'linkid', 'link');
				campaigns.get(call.accountId, campaignId);
				if (assign.run(campaignId, call.accountId, linkId).changes === 0) {
					throw unknownId('link', linkId);
				}
				return { message: 'The link has been assigned to the campaign.' };
			},
		},
		{
			method: 'PUT',
			path: '/api/campaign/:id/update',
			answer(call) {
				const id = idIn(call, 'id', 'campaign');
				campaigns.get(call.accountId, id);
				const changed = campaigns.change(call.accountId, id, {
					name: readRequiredText(call.body, 'name').trim(),
					slug: slugIn(call, id),
					public: readFlag(call.body, 'public'),
				});
				return shown(changed, otherKey);
			},
		},
		campaigns.deletion('/api/campaign/:id/delete'),
	];
}
