/**
 * Every endpoint of the two API documents, and what it takes, as data: each endpoint has an operation, whose fixture has its response.
 */

/** How the document marks a field of a request body. */
export type Presence = 'required' | 'optional' | 'refused';

interface Endpoint {
	/** Name of the array, for the list endpoints. */
	list?: string;
	query?: readonly string[];
	body?: Readonly<Record<string, Presence>>;
	/** A body with what is required. */
	example?: object;
}

const PRESENCES: Record<string, Presence> = { '!': 'required', '?': 'optional', '-': 'refused' };

/** `type! name? tag-`: `!` is required, `?` optional, `-` refused. */
function taking(fields: string, example: object = {}): Endpoint {
	const body: Record<string, Presence> = {};
	for (const field of fields.split(' ')) {
		body[field.slice(0, -1)] = PRESENCES[field.slice(-1)] ?? 'optional';
	}
	return { body, example };
}

const listOf = (list: string): Endpoint => ({ list, query: ['limit', 'page'] });

const LINK_FIELDS =
	'url! custom? type? password? domain? expiry? geotarget? devicetarget? languagetarget? metatitle? metadescription? metaimage? parameters?';

/** `<method> <path>` exactly as the document's summary prints them. */
export const LINK_ENDPOINTS: Readonly<Record<string, Endpoint>> = {
	'GET /api/account': {},
	'PUT /api/account/update': taking('email? password?'),
	'GET /api/domains': listOf('domains'),
	'POST /api/domain/add': taking('domain! redirectroot? redirect404?', {
		domain: 'https://new.example.com',
	}),
	'PUT /api/domain/:id/update': taking('domain- redirectroot? redirect404?'),
	'DELETE /api/domain/:id/delete': {},
	'GET /api/overlay': listOf('cta'),
	'GET /api/campaigns': listOf('campaigns'),
	'POST /api/campaign/add': taking('name? slug? public?'),
	'POST /api/campaign/:campaignid/assign/:linkid': {},
	'PUT /api/campaign/:id/update': taking('name! slug? public?', { name: 'Late autumn' }),
	'DELETE /api/campaign/:id/delete': {},
	'GET /api/channels': listOf('channels'),
	'GET /api/channel/:id': listOf('items'),
	'POST /api/channel/add': taking('name! description? color? starred?', { name: 'Radio' }),
	'POST /api/channel/:channelid/assign/:type/:itemid': {},
	'PUT /api/channel/:id/update': taking('name? description? color? starred?'),
	'DELETE /api/channel/:id/delete': {},
	'GET /api/splash': listOf('splash'),
	'GET /api/urls': { list: 'urls', query: ['limit', 'page', 'order'] },
	'GET /api/url/:id': {},
	'POST /api/url/add': taking(LINK_FIELDS, { url: 'https://example.com/new' }),
	'PUT /api/url/:id/update': taking(LINK_FIELDS, { url: 'https://example.com/newer' }),
	'DELETE /api/url/:id/delete': {},
	'GET /api/pixels': listOf('pixels'),
	'POST /api/pixel/add': taking('type! name! tag!', { type: 'forum', name: 'Talk', tag: 'F-1' }),
	'PUT /api/pixel/:id/update': taking('type- name? tag!', { tag: 'F-2' }),
	'DELETE /api/pixel/:id/delete': {},
	'GET /api/qr': listOf('qrs'),
	'GET /api/qr/:id': {},
	'POST /api/qr/add': taking('type! data! background? foreground? logo?', {
		type: 'text',
		data: 'Table 4',
	}),
	'PUT /api/qr/:id/update': taking('data! background? foreground? logo?', { data: 'Table 5' }),
	'DELETE /api/qr/:id/delete': {},
};

/** Parameters beside `api_key`, wherever the service takes it. */
export const STORE_ENDPOINTS: Readonly<Record<string, { parameters: readonly string[] }>> = {
	'GET /api/account/details': { parameters: [] },
	'GET /api/items/all': { parameters: [] },
	'GET /api/items/item': { parameters: ['item_id'] },
	'POST /api/purchases/validation': { parameters: ['purchase_code'] },
};
