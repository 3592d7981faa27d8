import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Shown } from '../shared/fields';
import { locator } from '../shared/fields';
import { idIn, textIn } from '../shared/json';
import type { ListSearch, SearchedList } from '../shared/listSearch';
import { searchOf } from '../shared/listSearch';
import { linkService, promisedRecord } from './service';
import { usualNames } from './usualNames';

/**
 * The fields that pick a record of the link service, and the searches behind them. A field and its search belong
 * together, so they stand side by side here.
 */
type LocatorFor = (show: Shown) => INodeProperties;

const named = (record: IDataObject): string => textIn(record.name) ?? `#${idIn(record.id) ?? '?'}`;

const search = (list: SearchedList): ListSearch => searchOf(linkService, list);

export const linkLocator: LocatorFor = (show) =>
	locator({
		name: 'linkId',
		displayName: 'Link',
		search: 'searchLinks',
		description: 'The short link. The list finds it by alias, title, long URL or ID.',
		show,
	});

const searchLinks = search({
	path: '/api/urls',
	listName: 'urls',
	label: ({ alias, title, longurl, shorturl }) =>
		[textIn(alias) ?? textIn(shorturl), textIn(title) ?? textIn(longurl)]
			.filter(Boolean)
			.join(' – '),
	url: ({ shorturl }) => textIn(shorturl),
	byId: { path: (id) => `/api/url/${id}`, read: (body) => promisedRecord(body, 'details') },
});

/** A branded domain to shorten with; its value is the domain itself, because that is what a link is created with. */
export const domainNameField: INodeProperties = {
	displayName: 'Domain',
	name: 'domain',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: "The branded domain of the short link. Without it the service's own domain is used.",
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose…',
			typeOptions: { searchListMethod: 'searchDomainNames', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. https://go.example.com',
		},
	],
	routing: { send: { type: 'body', property: 'domain' } },
};

const searchDomainNames = search({
	path: '/api/domains',
	listName: 'domains',
	label: ({ domain }) => textIn(domain) ?? '',
	value: ({ domain }) => textIn(domain),
});

/** The page that a link of the redirect type *Custom Splash Page* shows. */
export const splashPageField = (shownIn: string): INodeProperties => ({
	...locator({
		name: 'splashPageId',
		displayName: 'Splash Page',
		search: 'searchSplashPages',
		description: 'The splash page to show before the redirect',
		required: false,
	}),
	displayOptions: { show: { [`/${shownIn}.redirectType`]: ['customSplash'] } },
});

const searchSplashPages = search({ path: '/api/splash', listName: 'splash', label: named });

/** The overlay that a link of the redirect type *CTA Overlay* shows. */
export const ctaOverlayField = (shownIn: string): INodeProperties => ({
	...locator({
		name: 'ctaOverlayId',
		displayName: 'CTA Overlay',
		search: 'searchCtaOverlays',
		description: 'The call-to-action overlay to show on the target page',
		required: false,
	}),
	displayOptions: { show: { [`/${shownIn}.redirectType`]: ['overlay'] } },
});

const searchCtaOverlays = search({
	path: '/api/overlay',
	listName: 'cta',
	label: (record) => [named(record), textIn(record.type)].filter(Boolean).join(' – '),
});

/** Every search of the node, by the name that its field has for it. */
export const listSearch = {
	...usualNames,
	searchCtaOverlays,
	searchDomainNames,
	searchLinks,
	searchSplashPages,
};
