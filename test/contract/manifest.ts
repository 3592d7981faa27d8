import { DEMO } from '../../sandbox/demo.ts';
import type { Leaf } from './shapes.ts';

/**
 * Every endpoint and field of the two API documents, as data: each endpoint has an operation, and the sandbox responds as it says.
 */

/** What a member may be; `?` after its name says that it may be left out. */
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

/** `id integer, email string` as a shape. */
function members(text: string): Record<string, Leaf> {
	const pairs = text.split(/,\s+/).map((member) => /^(\S+) (.+)$/s.exec(member)?.slice(1) ?? []);
	return Object.fromEntries(pairs) as Record<string, Leaf>;
}

/** `type! name? tag-`: `!` is required, `?` optional, `-` refused. */
function body(text: string): Record<string, Presence> {
	const presences = { '!': 'required', '?': 'optional', '-': 'refused' } as const;
	return Object.fromEntries(
		text
			.split(' ')
			.map((field) => [field.slice(0, -1), presences[field.slice(-1) as '!' | '?' | '-']]),
	);
}

const MESSAGE = members('error error, message string');
const NEW_ID = members('error error, id integer');
const PAGE = ['limit', 'page'] as const;

const listOf = (list: string, record: Shape): Endpoint => ({
	list,
	query: PAGE,
	answer: {
		// The list of overlays has none.
		'error?': 'error',
		data: {
			...members('result integer, perpage integer, currentpage integer'),
			...members('nextpage integer, maxpage integer'),
			[list]: [record],
		},
	},
});

type Example = NonNullable<Endpoint['example']>;

/** An endpoint that answers with a message alone. */
const telling = (fields: string, example: Example): Endpoint => ({
	...(fields === '' ? {} : { body: body(fields) }),
	answer: MESSAGE,
	example,
});

/** The endpoint that deletes a record. */
const deleting = (id: number): Endpoint => telling('', { params: { id } });

/** The endpoint that updates a record, with the fields that the demo account changes in one. */
const updating = (fields: string, id: number, changes: object): Endpoint =>
	telling(fields, { params: { id }, body: changes });

/** The endpoint that makes a record, with what the demo account makes. */
const making = (fields: string, answer: Shape, made: object): Endpoint => ({
	body: body(fields),
	answer,
	example: { body: made },
});

const ACCOUNT = members(
	'id integer, email string, username string, avatar url, status string, expires datetime, registered datetime',
);

const CAMPAIGN = members('id integer, public boolean, rotator url or false, list url');
/** The name stands under one of the two. */
const CAMPAIGN_NAMES = members('name? string, domain? string');
const CAMPAIGN_ANSWER = { error: 'error', ...CAMPAIGN, ...CAMPAIGN_NAMES } as const;

const CHANNEL = members(
	'id integer, name string, description string, color hex colour, starred boolean',
);

const LINK_BODY = body(
	'url! custom? type? password? domain? expiry? geotarget? devicetarget? languagetarget? metatitle? metadescription? metaimage? parameters?',
);

const QR_CODE = members('id integer, link url, scans integer, name string, date datetime');

const statistics = (top: Leaf) =>
	members(
		`clicks integer, uniqueClicks integer, topCountries ${top}, topReferrers ${top}, topBrowsers ${top}, topOs ${top}, socialCount map of integers`,
	);

/** `<method> <path>` exactly as the document's summary prints them. */
export const LINK_ENDPOINTS: Readonly<Record<string, Endpoint>> = {
	'GET /api/account': { answer: { error: 'error', data: ACCOUNT } },
	'PUT /api/account/update': telling('email? password?', {
		body: { password: 'another-password' },
	}),
	'GET /api/domains': listOf(
		'domains',
		members('id integer, domain url, redirectroot string, redirect404 string'),
	),
	'POST /api/domain/add': making('domain! redirectroot? redirect404?', NEW_ID, {
		domain: 'https://new.example.com',
		redirect404: 'https://example.com/lost',
	}),
	'PUT /api/domain/:id/update': updating('domain- redirectroot? redirect404?', 1, {
		redirectroot: 'https://example.com/root',
	}),
	'DELETE /api/domain/:id/delete': deleting(3),
	'GET /api/overlay': listOf('cta', members('id integer, type string, name string, date datetime')),
	'GET /api/campaigns': listOf('campaigns', { ...CAMPAIGN, ...CAMPAIGN_NAMES }),
	'POST /api/campaign/add': making('name? slug? public?', CAMPAIGN_ANSWER, {
		name: 'Autumn',
		slug: 'autumn',
		public: true,
	}),
	'POST /api/campaign/:campaignid/assign/:linkid': telling('', {
		params: { campaignid: 4, linkid: 5 },
	}),
	'PUT /api/campaign/:id/update': {
		...updating('name! slug? public?', 4, { name: 'Late autumn' }),
		answer: CAMPAIGN_ANSWER,
	},
	'DELETE /api/campaign/:id/delete': deleting(4),
	'GET /api/channels': listOf('channels', CHANNEL),
	'GET /api/channel/:id': {
		...listOf(
			'items',
			members('type string, id integer, title string, preview url, link url, date date'),
		),
		example: { params: { id: 1 } },
	},
	'POST /api/channel/add': making(
		'name! description? color? starred?',
		{ error: 'error', ...CHANNEL },
		{ name: 'Radio', color: '#ff8800', starred: true },
	),
	'POST /api/channel/:channelid/assign/:type/:itemid': telling('', {
		params: { channelid: 4, type: 'links', itemid: 5 },
	}),
	'PUT /api/channel/:id/update': updating('name? description? color? starred?', 4, {
		description: 'On air',
	}),
	'DELETE /api/channel/:id/delete': deleting(4),
	'GET /api/splash': listOf('splash', members('id integer, name string, date datetime')),
	'GET /api/urls': {
		...listOf(
			'urls',
			members(
				'id integer, alias string, shorturl url, longurl url, clicks integer, title string, description string, date datetime',
			),
		),
		query: [...PAGE, 'order'],
	},
	'GET /api/url/:id': {
		answer: {
			error: 'error',
			details: members(
				'id integer, shorturl url, longurl url, title string, description string, location map of urls, device map of urls, expiry datetime or null, date datetime',
			),
			data: statistics('top of a link'),
		},
		example: { params: { id: 37 } },
	},
	'POST /api/url/add': {
		body: LINK_BODY,
		answer: { error: 'error', id: 'integer', shorturl: 'url' },
		example: { body: { url: 'https://example.com/new' } },
	},
	'PUT /api/url/:id/update': {
		body: LINK_BODY,
		answer: { error: 'error', id: 'integer', short: 'url' },
		example: { params: { id: 41 }, body: { url: 'https://example.com/newer' } },
	},
	'DELETE /api/url/:id/delete': deleting(41),
	'GET /api/pixels': listOf(
		'pixels',
		members('id integer, type string, name string, tag string, date datetime'),
	),
	'POST /api/pixel/add': making('type! name! tag!', NEW_ID, {
		type: 'forum',
		name: 'Talk',
		tag: 'F-1',
	}),
	'PUT /api/pixel/:id/update': updating('type- name? tag!', 4, { tag: 'F-2' }),
	'DELETE /api/pixel/:id/delete': deleting(4),
	'GET /api/qr': listOf('qrs', QR_CODE),
	'GET /api/qr/:id': {
		answer: { error: 'error', details: QR_CODE, data: statistics('top of a QR code') },
		example: { params: { id: 1 } },
	},
	'POST /api/qr/add': making(
		'type! data! background? foreground? logo?',
		{ error: 'error', id: 'integer', link: 'url' },
		{ type: 'text', data: 'Table 4' },
	),
	'PUT /api/qr/:id/update': updating('data! background? foreground? logo?', 5, { data: 'Table 5' }),
	'DELETE /api/qr/:id/delete': deleting(5),
};

const ITEM = {
	...members('id integer, name string, description string, category string, sub_category string'),
	...members('options strings, version version, demo_link url, tags strings'),
	media: members(
		'thumbnail url, preview_image? url, preview_video? url, preview_audio? url, screenshots? urls',
	),
	price: members('regular number, extended number'),
	...members('currency string, published_at timestamp'),
};

/** Parameters beside `api_key`, wherever the service takes it. */
export interface StoreEndpoint {
	parameters: readonly string[];
	answer: Shape;
	/** What the demo account may ask of it. */
	example?: Readonly<Record<string, string | number>>;
}

export const STORE_ENDPOINTS: Readonly<Record<string, StoreEndpoint>> = {
	'GET /api/account/details': {
		parameters: [],
		answer: {
			status: 'string',
			data: {
				name: members('firstname string, lastname string, full_name string'),
				...members('username string, email string, balance number, currency string'),
				profile: {
					...members('heading string, description string, social_links map of strings'),
					contact: { email: 'string' },
					media: members('avatar url, cover url'),
				},
				registered_at: 'timestamp',
			},
		},
	},
	'GET /api/items/all': {
		parameters: [],
		answer: { status: 'string', items: [ITEM] },
	},
	'GET /api/items/item': {
		example: { item_id: 1000 },
		parameters: ['item_id'],
		answer: { status: 'string', item: ITEM },
	},
	'POST /api/purchases/validation': {
		example: { purchase_code: DEMO.purchaseCodes.valid },
		parameters: ['purchase_code'],
		answer: {
			status: 'string',
			data: {
				purchase: {
					...members('purchase_code string, license_type string, price number, currency string'),
					item: ITEM,
					...members('supported_until? timestamp, downloaded boolean, date timestamp'),
				},
			},
		},
	},
};
