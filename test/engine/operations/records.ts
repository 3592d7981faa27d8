import type { IDataObject } from 'n8n-workflow';

import type { Collection, Fields, Sample } from '../operationSample.ts';
import {
	FIRST_PAGE,
	NONE,
	column,
	deletion,
	fresh,
	idColumn,
	idOf,
	invalid,
	isOf,
	listed,
	listing,
	maker,
	named,
	newDomain,
	serial,
	several,
	unknown,
	updated,
	webAddress,
	withRecord,
} from '../operationSample.ts';
import type { Stage } from '../support.ts';
import { A_NUMBER, DATETIME, like } from '../support.ts';
import { newLink } from './link.ts';

/** The account, and the records that need few words. */

const account: Record<string, Sample> = {
	get: {
		kind: 'read',
		request: 'GET /api/account',
		parameters: {},
		rows: fresh(() => ({})),
		output: (_row, { email, linkAccount: { id }, sandbox }) => ({
			id,
			email,
			username: email.split('@')[0],
			avatar: `${sandbox.linkUrl}/avatar/${id}.svg`,
			status: 'pro',
			expires: DATETIME,
			registered: DATETIME,
		}),
	},
	update: {
		kind: 'write',
		request: 'PUT /api/account/update',
		parameters: { updateFields: { email: column('email') } },
		rows: fresh(() => ({ email: `owner-${serial()}@example.com` })),
		body: ({ email }) => ({ email }),
		output: { success: true, message: 'The account has been updated.' },
		// An account has one address: it tells which row came last.
		async written(stage, rows) {
			const { data } = await stage.api('GET /api/account');
			return rows.findIndex(({ email }) => email === (data as { email: unknown }).email) + 1;
		},
		...invalid('email must be an email address.', {
			row: { email: 'no address' },
			advice: 'Check Email',
		}),
	},
};

/** What the service says of one, its name under `name` in every dialect. */
const campaignOf = (
	{ id, name, slug, public: isPublic = false }: IDataObject,
	{ sandbox: { linkUrl } }: Stage,
): Fields => ({
	id,
	name,
	public: isPublic,
	rotator: typeof slug === 'string' ? `${linkUrl}/r/${slug}` : false,
	list: `${linkUrl}/campaign/${Number(id)}`,
});

/** The ID of a new one is known only from its answer, and so is its list. */
const newCampaignOf = (row: IDataObject, stage: Stage): Fields => ({
	...campaignOf(row, stage),
	id: A_NUMBER,
	list: like(/\/campaign\/\d+$/),
});

const CAMPAIGNS: Collection = {
	what: 'campaign',
	locator: 'campaignId',
	path: '/api/campaign',
	list: '/api/campaigns',
	make: maker('/api/campaign', () => ({ name: named('Campaign'), public: true })),
	record: campaignOf,
};

const isNamed = ({ name, domain }: Fields, row: IDataObject) => [name, domain].includes(row.name);

const campaign: Record<string, Sample> = {
	assignLink: {
		kind: 'write',
		request: 'POST /api/campaign/:campaignid/assign/:linkid',
		parameters: { campaignId: idColumn('campaignid'), linkId: idColumn('linkid') },
		async rows(stage, count) {
			const { id: campaignid } = await CAMPAIGNS.make(stage);
			return await several(count, async () => {
				const metatitle = named('Assigned');
				const { id: linkid } = await newLink(stage, { metatitle });
				return { campaignid, linkid, metatitle };
			});
		},
		output: ({ campaignid, linkid }) => ({
			success: true,
			campaignId: campaignid,
			linkId: linkid,
			message: 'The link has been assigned to the campaign.',
		}),
		// No answer of the API tells the links of a campaign; its public page does.
		async written(stage, rows) {
			const pages = rows.map(async ({ campaignid, metatitle }) => {
				const page = await fetch(`${stage.sandbox.linkUrl}/campaign/${Number(campaignid)}`);
				return (await page.text()).split('\n').filter((title) => title === metatitle).length;
			});
			return (await Promise.all(pages)).reduce((sum, times) => sum + times, 0);
		},
		...unknown('campaign', { campaignid: NONE, linkid: 1 }),
	},
	create: {
		kind: 'write',
		request: 'POST /api/campaign/add',
		parameters: { name: column('name'), additionalFields: {} },
		rows: fresh(() => ({ name: named('Campaign') })),
		body: ({ name }) => ({ name }),
		output: newCampaignOf,
		written: listed(CAMPAIGNS.list, isNamed),
		...invalid('slug must have 1 to 64 letters, digits, - or _ and nothing else.', {
			row: { name: 'x' },
			parameters: { additionalFields: { slug: 'two words' } },
			advice: 'Check Slug',
		}),
		examples: [
			{
				title: 'without a name lets the service choose one',
				parameters: { name: '' },
				rows: [{}],
				body: undefined,
				output: (_row, stage) => newCampaignOf({ name: 'Untitled campaign' }, stage),
			},
		],
	},
	delete: deletion(CAMPAIGNS),
	getAll: listing(CAMPAIGNS),
	update: {
		kind: 'write',
		request: 'PUT /api/campaign/:id/update',
		parameters: { campaignId: idColumn('id'), name: column('name'), updateFields: {} },
		rows: withRecord(CAMPAIGNS.make, () => ({ name: named('Renamed') })),
		body: ({ name }) => ({ name }),
		output: (row, stage) => ({ success: true, ...campaignOf(row, stage) }),
		written: listed(CAMPAIGNS.list, (record, row) => isOf(record, row) && isNamed(record, row)),
		...unknown('campaign', { name: 'x' }),
		examples: [
			{
				title: 'leaves a slug alone that was not added, and tells its rotator',
				rows: async (stage) => [await CAMPAIGNS.make(stage, { slug: `spring-${serial()}` })],
			},
		],
	},
};

const CHANNELS: Collection = {
	what: 'channel',
	locator: 'channelId',
	path: '/api/channel',
	list: '/api/channels',
	make: maker('/api/channel', () => ({ name: named('Channel') })),
	record: ({ id, name }) => ({ id, name, description: '', color: '#000000', starred: false }),
};

const channel: Record<string, Sample> = {
	assignItem: {
		kind: 'write',
		request: 'POST /api/channel/:channelid/assign/:type/:itemid',
		parameters: {
			channelId: idColumn('channelid'),
			itemType: column('type'),
			itemId: idColumn('itemid'),
		},
		async rows(stage, count) {
			const { id: channelid } = await CHANNELS.make(stage);
			return await several(count, async () => {
				const { id: itemid } = await newLink(stage);
				return { channelid, type: 'links', itemid };
			});
		},
		output: ({ channelid, type, itemid }) => ({
			success: true,
			itemType: type,
			channelId: channelid,
			itemId: itemid,
			message: 'The item has been assigned to the channel.',
		}),
		async written(stage, rows) {
			const [{ channelid } = {}] = rows;
			const isItem = (item: Fields, { itemid }: IDataObject) => idOf(item) === itemid;
			return await listed(`/api/channel/${Number(channelid)}`, isItem)(stage, rows);
		},
		...unknown('channel', { channelid: NONE, type: 'links', itemid: 1 }),
	},
	create: {
		kind: 'write',
		request: 'POST /api/channel/add',
		parameters: { name: column('name'), additionalFields: {} },
		rows: fresh(() => ({ name: named('Channel') })),
		body: ({ name }) => ({ name }),
		output: (row, stage) => ({ ...CHANNELS.record(row, stage), id: A_NUMBER }),
		written: listed(CHANNELS.list, (record, row) => record.name === row.name),
		...invalid('description must not be longer than 65535 characters.', {
			row: { name: 'x' },
			parameters: { additionalFields: { description: 'x'.repeat(65_536) } },
			advice: 'Check Description',
		}),
	},
	delete: deletion(CHANNELS),
	getAll: listing(CHANNELS),
	getItems: {
		...listing({
			list: '/api/channel/:id',
			make: newLink,
			record: ({ id }) => ({
				type: 'links',
				id,
				title: 'example.com',
				preview: like(/^http.*\/preview\/.*\.svg$/),
				link: like(/^http/),
				date: like(/^\d{4}-\d\d-\d\d$/),
			}),
		}),
		parameters: { channelId: idColumn('id'), returnAll: true },
		query: FIRST_PAGE,
		async rows(stage, count) {
			const { id } = await CHANNELS.make(stage);
			const records = await several(count, async () => {
				const link = await newLink(stage);
				await stage.api(`POST /api/channel/${Number(id)}/assign/links/${Number(link.id)}`);
				return link;
			});
			return [{ id, records }];
		},
		...unknown('channel'),
	},
	update: {
		kind: 'write',
		request: 'PUT /api/channel/:id/update',
		parameters: { channelId: idColumn('id'), updateFields: { name: column('name') } },
		rows: withRecord(CHANNELS.make, () => ({ name: named('Renamed') })),
		body: ({ name }) => ({ name }),
		output: updated('channel'),
		written: listed(CHANNELS.list, (record, row) => isOf(record, row) && record.name === row.name),
		...unknown('channel', { name: 'x' }),
	},
};

const DOMAINS: Collection = {
	what: 'domain',
	locator: 'domainId',
	path: '/api/domain',
	list: '/api/domains',
	make: maker('/api/domain', () => ({
		domain: newDomain(),
		redirectroot: 'https://example.com/root',
		redirect404: 'https://example.com/404',
	})),
	record: (row) => row,
};

const domain: Record<string, Sample> = {
	create: {
		kind: 'write',
		request: 'POST /api/domain/add',
		parameters: { domain: column('domain'), additionalFields: {} },
		rows: fresh(() => ({ domain: newDomain() })),
		body: (row) => row,
		output: { id: A_NUMBER },
		written: listed(DOMAINS.list, (record, row) => record.domain === row.domain),
		...invalid('go.invalid does not point to this server yet.', {
			row: { domain: 'https://go.invalid' },
		}),
	},
	delete: deletion(DOMAINS),
	getAll: listing(DOMAINS),
	update: {
		kind: 'write',
		request: 'PUT /api/domain/:id/update',
		parameters: { domainId: idColumn('id'), updateFields: { rootRedirect: column('redirect') } },
		rows: withRecord(DOMAINS.make, () => ({ redirect: webAddress() })),
		body: ({ redirect }) => ({ redirectroot: redirect }),
		output: updated('domain'),
		written: listed(
			DOMAINS.list,
			(record, row) => isOf(record, row) && record.redirectroot === row.redirect,
		),
		...unknown('domain', { redirect: '' }),
	},
};

const PIXELS: Collection = {
	what: 'pixel',
	locator: 'pixelId',
	path: '/api/pixel',
	list: '/api/pixels',
	make: maker('/api/pixel', () => ({ type: 'forum', name: named('Pixel'), tag: 'AW-1' })),
	record: (row) => ({ ...row, date: DATETIME }),
};

const pixel: Record<string, Sample> = {
	create: {
		kind: 'write',
		request: 'POST /api/pixel/add',
		parameters: { pixelType: column('type'), name: column('name'), tag: column('tag') },
		rows: fresh(() => ({ type: 'adspixel', name: named('Pixel'), tag: `AW-${serial()}` })),
		body: (row) => row,
		output: { id: A_NUMBER },
		written: listed(PIXELS.list, (record, row) => record.name === row.name),
		...invalid('tag must not be longer than 65535 characters.', {
			row: { type: 'adspixel', name: 'x', tag: 'x'.repeat(65_536) },
			advice: 'Check Tag',
		}),
	},
	delete: deletion(PIXELS),
	getAll: listing(PIXELS),
	update: {
		kind: 'write',
		request: 'PUT /api/pixel/:id/update',
		parameters: { pixelId: idColumn('id'), tag: column('tag'), updateFields: {} },
		rows: withRecord(PIXELS.make, () => ({ tag: `AW-${serial()}` })),
		body: ({ tag }) => ({ tag }),
		output: updated('pixel'),
		written: listed(PIXELS.list, (record, row) => isOf(record, row) && record.tag === row.tag),
		...unknown('pixel', { tag: 'x' }),
	},
};

/** Splash pages and CTA overlays the API can only list. */
const splashPage = {
	getAll: listing({
		list: '/api/splash',
		async make({ sandbox, linkAccount }) {
			const name = named('Splash page');
			return await Promise.resolve({ id: sandbox.links.addSplashPage(linkAccount.id, name), name });
		},
		record: (row) => ({ ...row, date: DATETIME }),
	}),
};

const ctaOverlay = {
	getAll: listing({
		list: '/api/overlay',
		async make({ sandbox, linkAccount }) {
			const [name, type] = [named('Overlay'), 'contact'] as const;
			const id = sandbox.links.addOverlay(linkAccount.id, name, type);
			return await Promise.resolve({ id, name, type });
		},
		record: (row) => ({ ...row, date: DATETIME }),
	}),
};

export const RECORDS = { account, campaign, channel, ctaOverlay, domain, pixel, splashPage };
