import { type INodeProperties, NodeOperationError } from 'n8n-workflow';

import { type ListSearch, type SearchedList, listSearchFor } from '../shared/lists/listSearch';
import { locator, type NamedMode } from '../shared/operations/panelFields';
import { inBody } from '../shared/operations/requestFields';
import { inputFailure } from '../shared/values/failure';
import { textIn } from '../shared/values/json';
import { linkService } from './service';
import {
	campaigns,
	channels,
	ctaOverlays,
	domains,
	links,
	pixels,
	qrCodes,
	splashPages,
} from './serviceLists';
import { parseDomain } from './values/longUrl';

/** The fields that pick a record of the service, and the searches behind them. */

const search = (list: SearchedList): ListSearch => listSearchFor(linkService, list);

const byName = (example: string): NamedMode => ({ by: 'name', label: 'By Name', example });

const byShortUrl: NamedMode = {
	by: 'alias',
	label: 'By Short URL or Alias',
	example: 'go.example.com/spring or spring',
};

export const linkLocator = locator({
	name: 'linkId',
	displayName: 'Link',
	search: 'searchLinks',
	description:
		'The short link. Search the list by alias, title, short or long URL, or ID. By Short URL or Alias takes either.',
	list: links,
	named: byShortUrl,
});

/** For an operation that has another locator, too. n8n evaluates a parameter once more for each property of its name. */
export const assignedLinkLocator: INodeProperties = {
	...linkLocator,
	name: 'assignedLinkId',
};

export const campaignLocator = locator({
	name: 'campaignId',
	displayName: 'Campaign',
	search: 'searchCampaigns',
	description: 'The campaign. Search the list by name or ID.',
	list: campaigns,
	named: byName('Spring Sale'),
});

export const channelLocator = locator({
	name: 'channelId',
	displayName: 'Channel',
	search: 'searchChannels',
	description: 'The channel. Search the list by name or ID.',
	list: channels,
	named: byName('Newsletter'),
});

export const channelItemLocator = locator({
	name: 'itemId',
	displayName: 'Item',
	search: 'searchChannelItems',
	description: 'The item to add. The list shows links and QR codes; for a bio page, enter its ID.',
	list(parameters) {
		if (parameters.itemType === 'links') return links;
		throw inputFailure(
			'Only links have a short URL or an alias',
			'Pick the item from the list, or enter its ID',
		);
	},
	named: byShortUrl,
});

const searchLinks = search(links);
const searchQrCodes = search(qrCodes);

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
	description: 'The branded domain. Search the list by name or ID.',
	list: domains,
	named: byName('go.example.com'),
});

export const pixelLocator = locator({
	name: 'pixelId',
	displayName: 'Pixel',
	search: 'searchPixels',
	description: 'The tracking pixel. Search the list by name, type or ID.',
	list: pixels,
	named: byName('Shop visitors'),
});

/** A pixel of a link, of which there may be several: by its id alone. */
export const linkPixelLocator = locator({
	name: 'pixelId',
	displayName: 'Pixel',
	search: 'searchPixels',
	description: 'A tracking pixel of the account',
});

export const qrCodeLocator = locator({
	name: 'qrCodeId',
	displayName: 'QR Code',
	search: 'searchQrCodes',
	description: 'The QR code. Search the list by name or ID.',
});

const { modes = [], ...domainPicker } = locator({
	name: 'domain',
	displayName: 'Domain',
	search: 'searchDomainNames',
	description: "The branded domain of the short link; without one, the service's own",
	required: false,
});

/** The branded domain of a link. Its value is the domain, not an id, because the API wants the domain. */
export const domainNameField: INodeProperties = {
	...domainPicker,
	modes: [
		...modes.slice(0, 1),
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. https://go.example.com',
		},
	],
	routing: inBody('domain', parseDomain, ''),
};

export const splashPageLocator = locator({
	name: 'splashPageId',
	displayName: 'Splash Page',
	search: 'searchSplashPages',
	description: 'The splash page to show before the redirect',
	list: splashPages,
	named: byName('Please wait'),
});

export const ctaOverlayLocator = locator({
	name: 'ctaOverlayId',
	displayName: 'CTA Overlay',
	search: 'searchCtaOverlays',
	description: 'The call-to-action overlay to show on the target page',
	list: ctaOverlays,
	named: byName('Newsletter form'),
});

export const listSearch = {
	searchCampaigns: search(campaigns),
	searchChannelItems,
	searchChannels: search(channels),
	searchCtaOverlays: search(ctaOverlays),
	searchDomainNames: search({ ...domains, value: ({ domain }) => textIn(domain) }),
	searchDomains: search(domains),
	searchLinks,
	searchPixels: search(pixels),
	searchQrCodes,
	searchSplashPages: search(splashPages),
};
