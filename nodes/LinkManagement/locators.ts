import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { locator, suggestedName } from '../shared/operations/fields';
import { inBody } from '../shared/operations/sentFields';
import { idIn, integerIn, textIn } from '../shared/values/json';
import type { ListSearch, SearchedList } from '../shared/lists/listSearch';
import { searchOf } from '../shared/lists/listSearch';
import { requireRecord } from '../shared/http/response';
import { linkService } from './envelope';
import { campaignRecord } from './records';
import { suggestions } from './suggestions';

/**
 * The fields that pick a record of the link service, and the searches behind them. A field and its search belong
 * together, so they stand side by side here.
 */
const named = (record: IDataObject): string => textIn(record.name) ?? `#${idIn(record.id) ?? '?'}`;

const namedWithType = (record: IDataObject): string => joined(named(record), textIn(record.type));

/** The parts of a label; those that a record does not have are left out. */
const joined = (...parts: Array<string | undefined>): string => parts.filter(Boolean).join(' – ');

/** An address as people read it: `go.example.com/spring`. */
const withoutScheme = (address: unknown): string | undefined =>
	textIn(address)?.replace(/^https?:\/\//i, '');

const domainName = ({ domain }: IDataObject): string => textIn(domain) ?? '';

const search = (list: SearchedList): ListSearch =>
	searchOf(linkService, { names: ({ name, domain }) => [name, domain], ...list });

export const linkLocator = locator({
	name: 'linkId',
	displayName: 'Link',
	search: 'searchLinks',
	description: 'The short link. The list finds it by alias, title, short or long URL, or ID.',
});

const searchLinks = search({
	source: { path: '/api/urls', listName: 'urls' },
	label: ({ alias, title, longurl, shorturl }) =>
		joined(withoutScheme(shorturl) ?? textIn(alias), textIn(title) ?? textIn(longurl)),
	keywords: ({ alias, shorturl, longurl }) => [alias, shorturl, longurl],
	names: ({ alias, title, shorturl }) => [alias, title, shorturl, withoutScheme(shorturl)],
	url: ({ shorturl }) => textIn(shorturl),
	byId: { path: (id) => `/api/url/${id}`, read: (body) => requireRecord(body, 'details') },
});

export const campaignLocator = locator({
	name: 'campaignId',
	displayName: 'Campaign',
	search: 'searchCampaigns',
	description: 'The campaign. The list finds it by name or ID.',
});

const searchCampaigns = search({
	source: { path: '/api/campaigns', listName: 'campaigns' },
	label: (record) => named(campaignRecord(record)),
	url: ({ list }) => textIn(list),
});

export const channelLocator = locator({
	name: 'channelId',
	displayName: 'Channel',
	search: 'searchChannels',
	description: 'The channel. The list finds it by name or ID.',
});

const searchChannels = search({
	source: { path: '/api/channels', listName: 'channels' },
	label: named,
});

export const channelItemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchChannelItems',
	description:
		'What to add to the channel. The list finds links and QR codes; a bio page is given by its ID.',
});

/** The search depends on the type that the user picked before. */
const searchChannelItems: ListSearch = async function (this, filter, paginationToken) {
	const type = this.getCurrentNodeParameter('itemType');
	if (type === 'links') return await searchLinks.call(this, filter, paginationToken);
	if (type === 'qr') return await searchQrCodes.call(this, filter, paginationToken);
	throw new NodeOperationError(this.getNode(), 'The API cannot list bio pages', {
		description: 'Switch the field to By ID, and enter the ID of the bio page',
	});
};

export const domainLocator = locator({
	name: 'domainId',
	displayName: 'Domain',
	search: 'searchDomains',
	description: 'The branded domain. The list finds it by name or ID.',
});

const searchDomains = search({
	source: { path: '/api/domains', listName: 'domains' },
	label: domainName,
});

export const pixelLocator = locator({
	name: 'pixelId',
	displayName: 'Pixel',
	search: 'searchPixels',
	description: 'The tracking pixel. The list finds it by name, type or ID.',
});

const searchPixels = search({
	source: { path: '/api/pixels', listName: 'pixels' },
	label: namedWithType,
});

export const qrCodeLocator = locator({
	name: 'qrCodeId',
	displayName: 'QR Code',
	search: 'searchQrCodes',
	description: 'The QR code. The list finds it by name or ID.',
});

const searchQrCodes = search({
	source: { path: '/api/qr', listName: 'qrs' },
	label: (record) => {
		const day = textIn(record.date)?.slice(0, 10);
		return joined(
			`${named(record)} #${idIn(record.id) ?? '?'}`,
			day,
			`${integerIn(record.scans) ?? 0} scans`,
		);
	},
	names: ({ name }) => [name],
	url: ({ link }) => textIn(link),
	byId: { path: (id) => `/api/qr/${id}`, read: (body) => requireRecord(body, 'details') },
});

/** A branded domain to shorten with; its value is the domain itself, because that is what a link is created with. */
export const domainNameField: INodeProperties = {
	...suggestedName({
		name: 'domain',
		displayName: 'Domain',
		search: 'searchDomainNames',
		placeholder: 'e.g. https://go.example.com',
		description:
			"The branded domain of the short link. Without it the service's own domain is used.",
	}),
	routing: inBody('domain'),
};

const searchDomainNames = search({
	source: { path: '/api/domains', listName: 'domains' },
	label: domainName,
	value: ({ domain }) => textIn(domain),
});

/** The page that a link of the redirect type *Custom Splash Page* shows. */
export const splashPageField = locator({
	name: 'splashPageId',
	displayName: 'Splash Page',
	search: 'searchSplashPages',
	description: 'The splash page to show before the redirect',
	required: false,
});

const searchSplashPages = search({
	source: { path: '/api/splash', listName: 'splash' },
	label: named,
});

/** The overlay that a link of the redirect type *CTA Overlay* shows. */
export const ctaOverlayField = locator({
	name: 'ctaOverlayId',
	displayName: 'CTA Overlay',
	search: 'searchCtaOverlays',
	description: 'The call-to-action overlay to show on the target page',
	required: false,
});

const searchCtaOverlays = search({
	source: { path: '/api/overlay', listName: 'cta' },
	label: namedWithType,
});

/** Every search of the node, by the name that its field has for it. */
export const listSearch = {
	...suggestions,
	searchCampaigns,
	searchChannelItems,
	searchChannels,
	searchCtaOverlays,
	searchDomainNames,
	searchDomains,
	searchLinks,
	searchPixels,
	searchQrCodes,
	searchSplashPages,
};
