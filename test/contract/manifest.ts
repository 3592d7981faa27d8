import { DEMO } from '../../sandbox/demo.ts';

/**
 * Every endpoint and field of the two API documents, as data. The tests check it both ways:
 * nothing in it is missing from the sandbox, and the sandbox has nothing that is not in it.
 */

/** What a leaf may hold; `?` after a member's name says that it may be left out. */
export type Leaf =
	| 'error'
	| 'integer'
	| 'number'
	| 'string'
	| 'boolean'
	| 'url'
	| 'url or false'
	| 'datetime'
	| 'datetime or null'
	| 'date'
	| 'timestamp'
	| 'hex colour'
	| 'version'
	| 'next page'
	| 'map of urls'
	| 'map of integers'
	| 'map of strings'
	| 'top of a link'
	| 'top of a QR code'
	| 'strings'
	| 'urls';
export type Shape = Leaf | { [member: string]: Shape } | readonly [Shape];

/** How the document marks a field of a request body. */
export type Presence = 'required' | 'optional' | 'refused';

export interface Endpoint {
	/** Name of the array, for the list endpoints. */
	list?: string;
	query?: readonly string[];
	body?: Readonly<Record<string, Presence>>;
	answer: Shape;
	/** What the demo account may ask of it; left out where nothing needs to be said. Later ones use what earlier ones leave. */
	example?: { params?: Readonly<Record<string, string | number>>; body?: object };
}

/** "Allowed pixel types" */
export const PIXEL_TYPES = [
	'tagmanagerpixel',
	'analyticspixel',
	'socialapixel',
	'adspixel',
	'professionalnetworkpixel',
	'microblogpixel',
	'retargetingpixel',
	'qapixel',
	'pinboard',
	'searchengine',
	'messaging',
	'forum',
	'shortvideo',
];

/** Type of a QR code: "one of" */
export const QR_TYPES = ['text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'];

/** Type of a channel item */
export const ITEM_TYPES = ['links', 'bio', 'qr'];

const MESSAGE = { error: 'error', message: 'string' } as const;
const PAGE = ['limit', 'page'] as const;

const listOf = (list: string, record: Shape): Endpoint => ({
	list,
	query: PAGE,
	answer: {
		error: 'error',
		data: {
			result: 'integer',
			perpage: 'integer',
			currentpage: 'integer',
			nextpage: 'next page',
			maxpage: 'integer',
			[list]: [record],
		},
	},
});

const ACCOUNT = {
	id: 'integer',
	email: 'string',
	username: 'string',
	avatar: 'url',
	status: 'string',
	expires: 'datetime',
	registered: 'datetime',
} as const;

const CAMPAIGN = {
	id: 'integer',
	public: 'boolean',
	rotator: 'url or false',
	list: 'url',
} as const;
/** The name stands under one of the two. */
const CAMPAIGN_NAMES = { 'name?': 'string', 'domain?': 'string' } as const;
const CAMPAIGN_ANSWER = { error: 'error', ...CAMPAIGN, ...CAMPAIGN_NAMES } as const;

const CHANNEL = {
	id: 'integer',
	name: 'string',
	description: 'string',
	color: 'hex colour',
	starred: 'boolean',
} as const;

const LINK_BODY = {
	url: 'required',
	custom: 'optional',
	type: 'optional',
	password: 'optional',
	domain: 'optional',
	expiry: 'optional',
	geotarget: 'optional',
	devicetarget: 'optional',
	languagetarget: 'optional',
	metatitle: 'optional',
	metadescription: 'optional',
	metaimage: 'optional',
	parameters: 'optional',
} as const;

const QR_CODE = {
	id: 'integer',
	link: 'url',
	scans: 'integer',
	name: 'string',
	date: 'datetime',
} as const;

const statistics = (top: Leaf) => ({
	clicks: 'integer' as const,
	uniqueClicks: 'integer' as const,
	topCountries: top,
	topReferrers: top,
	topBrowsers: top,
	topOs: top,
	socialCount: 'map of integers' as const,
});

/** `<method> <path>` exactly as the document's summary prints them. */
export const LINK_ENDPOINTS: Readonly<Record<string, Endpoint>> = {
	'GET /api/account': { answer: { error: 'error', data: ACCOUNT } },
	'PUT /api/account/update': {
		body: { email: 'optional', password: 'optional' },
		answer: MESSAGE,
		example: { body: { password: 'another-password' } },
	},
	'GET /api/domains': listOf('domains', {
		id: 'integer',
		domain: 'url',
		redirectroot: 'string',
		redirect404: 'string',
	}),
	'POST /api/domain/add': {
		body: { domain: 'required', redirectroot: 'optional', redirect404: 'optional' },
		answer: { error: 'error', id: 'integer' },
		example: {
			body: { domain: 'https://new.example.com', redirect404: 'https://example.com/lost' },
		},
	},
	'PUT /api/domain/:id/update': {
		body: { domain: 'refused', redirectroot: 'optional', redirect404: 'optional' },
		answer: MESSAGE,
		example: {
			params: { id: 1 },
			body: { redirectroot: 'https://example.com/root' },
		},
	},
	'DELETE /api/domain/:id/delete': { answer: MESSAGE, example: { params: { id: 3 } } },
	'GET /api/overlay': listOf('cta', {
		id: 'integer',
		type: 'string',
		name: 'string',
		date: 'datetime',
	}),
	'GET /api/campaigns': listOf('campaigns', { ...CAMPAIGN, ...CAMPAIGN_NAMES }),
	'POST /api/campaign/add': {
		body: { name: 'optional', slug: 'optional', public: 'optional' },
		answer: CAMPAIGN_ANSWER,
		example: { body: { name: 'Autumn', slug: 'autumn', public: true } },
	},
	'POST /api/campaign/:campaignid/assign/:linkid': {
		answer: MESSAGE,
		example: { params: { campaignid: 4, linkid: 5 } },
	},
	'PUT /api/campaign/:id/update': {
		body: { name: 'required', slug: 'optional', public: 'optional' },
		answer: CAMPAIGN_ANSWER,
		example: { params: { id: 4 }, body: { name: 'Late autumn' } },
	},
	'DELETE /api/campaign/:id/delete': { answer: MESSAGE, example: { params: { id: 4 } } },
	'GET /api/channels': listOf('channels', CHANNEL),
	'GET /api/channel/:id': {
		...listOf('items', {
			type: 'string',
			id: 'integer',
			title: 'string',
			preview: 'url',
			link: 'url',
			date: 'date',
		}),
		example: { params: { id: 1 } },
	},
	'POST /api/channel/add': {
		body: { name: 'required', description: 'optional', color: 'optional', starred: 'optional' },
		answer: { error: 'error', ...CHANNEL },
		example: { body: { name: 'Radio', color: '#ff8800', starred: true } },
	},
	'POST /api/channel/:channelid/assign/:type/:itemid': {
		answer: MESSAGE,
		example: {
			params: { channelid: 4, type: 'links', itemid: 5 },
		},
	},
	'PUT /api/channel/:id/update': {
		body: { name: 'optional', description: 'optional', color: 'optional', starred: 'optional' },
		answer: MESSAGE,
		example: { params: { id: 4 }, body: { description: 'On air' } },
	},
	'DELETE /api/channel/:id/delete': { answer: MESSAGE, example: { params: { id: 4 } } },
	'GET /api/splash': listOf('splash', { id: 'integer', name: 'string', date: 'datetime' }),
	'GET /api/urls': {
		...listOf('urls', {
			id: 'integer',
			alias: 'string',
			shorturl: 'url',
			longurl: 'url',
			clicks: 'integer',
			title: 'string',
			description: 'string',
			date: 'datetime',
		}),
		query: [...PAGE, 'order'],
	},
	'GET /api/url/:id': {
		answer: {
			error: 'error',
			details: {
				id: 'integer',
				shorturl: 'url',
				longurl: 'url',
				title: 'string',
				description: 'string',
				location: 'map of urls',
				device: 'map of urls',
				expiry: 'datetime or null',
				date: 'datetime',
			},
			data: statistics('top of a link'),
		},
		example: { params: { id: 37 } },
	},
	'POST /api/url/add': {
		body: LINK_BODY,
		answer: { error: 'error', id: 'integer', shorturl: 'url' },
		example: { body: { url: 'https://example.com/new', custom: 'brand-new' } },
	},
	'PUT /api/url/:id/update': {
		body: LINK_BODY,
		answer: { error: 'error', id: 'integer', short: 'url' },
		example: { params: { id: 41 }, body: { url: 'https://example.com/newer' } },
	},
	'DELETE /api/url/:id/delete': { answer: MESSAGE, example: { params: { id: 41 } } },
	'GET /api/pixels': listOf('pixels', {
		id: 'integer',
		type: 'string',
		name: 'string',
		tag: 'string',
		date: 'datetime',
	}),
	'POST /api/pixel/add': {
		body: { type: 'required', name: 'required', tag: 'required' },
		answer: { error: 'error', id: 'integer' },
		example: { body: { type: 'forum', name: 'Talk', tag: 'F-1' } },
	},
	'PUT /api/pixel/:id/update': {
		body: { type: 'refused', name: 'optional', tag: 'required' },
		answer: MESSAGE,
		example: { params: { id: 4 }, body: { tag: 'F-2' } },
	},
	'DELETE /api/pixel/:id/delete': { answer: MESSAGE, example: { params: { id: 4 } } },
	'GET /api/qr': listOf('qrs', QR_CODE),
	'GET /api/qr/:id': {
		answer: { error: 'error', details: QR_CODE, data: statistics('top of a QR code') },
		example: { params: { id: 1 } },
	},
	'POST /api/qr/add': {
		body: {
			type: 'required',
			data: 'required',
			background: 'optional',
			foreground: 'optional',
			logo: 'optional',
		},
		answer: { error: 'error', id: 'integer', link: 'url' },
		example: { body: { type: 'text', data: 'Table 4' } },
	},
	'PUT /api/qr/:id/update': {
		body: { data: 'required', background: 'optional', foreground: 'optional', logo: 'optional' },
		answer: MESSAGE,
		example: { params: { id: 5 }, body: { data: 'Table 5' } },
	},
	'DELETE /api/qr/:id/delete': { answer: MESSAGE, example: { params: { id: 5 } } },
};

const ITEM = {
	id: 'integer',
	name: 'string',
	description: 'string',
	category: 'string',
	sub_category: 'string',
	options: 'strings',
	version: 'version',
	demo_link: 'url',
	tags: 'strings',
	media: {
		thumbnail: 'url',
		'preview_image?': 'url',
		'preview_video?': 'url',
		'preview_audio?': 'url',
		'screenshots?': 'urls',
	},
	price: { regular: 'number', extended: 'number' },
	currency: 'string',
	published_at: 'timestamp',
} as const;

/** Parameters beside `api_key`, wherever the service takes it. */
export interface StoreEndpoint {
	parameters: readonly string[];
	answer: Shape;
	/** What the demo account may ask of it. */
	example?: Readonly<Record<string, string | number>>;
	/** The `msg` of its failure. */
	failure: string;
}

export const STORE_ENDPOINTS: Readonly<Record<string, StoreEndpoint>> = {
	'GET /api/account/details': {
		parameters: [],
		failure: 'Invalid request',
		answer: {
			status: 'string',
			data: {
				name: { firstname: 'string', lastname: 'string', full_name: 'string' },
				username: 'string',
				email: 'string',
				balance: 'number',
				currency: 'string',
				profile: {
					heading: 'string',
					description: 'string',
					contact: { email: 'string' },
					social_links: 'map of strings',
					media: { avatar: 'url', cover: 'url' },
				},
				registered_at: 'timestamp',
			},
		},
	},
	'GET /api/items/all': {
		parameters: [],
		failure: 'No items found',
		answer: { status: 'string', items: [ITEM] },
	},
	'GET /api/items/item': {
		example: { item_id: 1 },
		parameters: ['item_id'],
		failure: 'Item Not Found',
		answer: { status: 'string', item: ITEM },
	},
	'POST /api/purchases/validation': {
		example: { purchase_code: DEMO.purchaseCodes.valid },
		parameters: ['purchase_code'],
		failure: 'Invalid purchase code',
		answer: {
			status: 'string',
			data: {
				purchase: {
					purchase_code: 'string',
					license_type: 'string',
					price: 'number',
					currency: 'string',
					item: ITEM,
					'supported_until?': 'timestamp',
					downloaded: 'boolean',
					date: 'timestamp',
				},
			},
		},
	},
};
