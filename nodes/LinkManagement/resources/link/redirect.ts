// Where visitors of a link get, and how: the redirect, with the page of those that show a page first, and targets for some visitors.

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { optionalField } from '../../../shared/operations/panelFields';
import type { Row, RowRequest } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/requestFields';
import { parseLine, requiredValue, parseRequiredLine } from '../../../shared/values/input';
import { mapIn, textIn } from '../../../shared/values/json';
import { rowsField, textField } from '../../resourceFields';
import { ctaOverlayLocator, splashPageLocator } from '../../locators';
import { parseAddress } from '../../values/longUrl';

/** What stands before the ID of a page in `type`; the API document does not say. */
const PAGES = new Map([
	['customSplash', { locator: splashPageLocator, prefix: '' }],
	['overlay', { locator: ctaOverlayLocator, prefix: 'overlay-' }],
]);

const REDIRECTS: readonly INodePropertyOptions[] = [
	{ name: 'Direct', value: 'direct', description: 'Redirect immediately' },
	{ name: 'Frame', value: 'frame', description: 'Show the target page inside a frame' },
	{ name: 'Splash', value: 'splash', description: "Show the service's own splash page first" },
];

/** The document has these only for a create. */
const PAGE_REDIRECTS: readonly INodePropertyOptions[] = [
	{ name: 'CTA Overlay', value: 'overlay', description: 'Show an overlay on the target page' },
	{ name: 'Custom Splash Page', value: 'customSplash', description: 'Show your own page first' },
];

export const redirectField: INodeProperties = {
	displayName: 'Redirect Type',
	name: 'redirectType',
	type: 'options',
	options: [...REDIRECTS],
	default: 'direct',
	description: 'How visitors get to the long URL',
	routing: inBody('type', parseLine),
};

const shownFor = (...types: string[]): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { show: { redirectType: types } },
});

export const newRedirectFields: readonly INodeProperties[] = [
	{
		...redirectField,
		options: [...REDIRECTS, ...PAGE_REDIRECTS].sort((a, b) => a.name.localeCompare(b.name)),
		routing: inBody('type', redirectType),
	},
	{ ...optionalField(ctaOverlayLocator), ...shownFor('overlay') },
	{ ...optionalField(splashPageLocator), ...shownFor('customSplash') },
];

/** Reads the kind of redirect. For one to a page, `withRedirectPage` writes the page's ID into the body, once it is looked up. */
function redirectType(label: string, value: unknown, row: Row): string {
	const type = parseLine(label, value);
	const page = PAGES.get(type);
	if (page) row.pick(page.locator, mapIn(row.parameters.additionalFields)[page.locator.name]);
	return type;
}

export function withRedirectPage(request: RowRequest, row: Row): RowRequest {
	const page = PAGES.get(textIn(request.body.type) ?? '');
	if (page === undefined) return request;
	const type = `${page.prefix}${row.id(page.locator.name)}`;
	return { ...request, body: { ...request.body, type } };
}

export const targetFields: readonly INodeProperties[] = [
	targets('Device Targets', 'deviceTargets', 'devicetarget', {
		...textField('Device', 'device', 'iphone'),
		description: 'Visitors on this device go to the URL below',
	}),
	targets('Geo Targets', 'geoTargets', 'geotarget', {
		...textField('Country', 'location', 'Germany'),
		description: 'The country as the service writes it, often its English name',
	}),
	targets('Language Targets', 'languageTargets', 'languagetarget', {
		...textField('Language', 'language', 'de'),
		description: 'Visitors with this language go to the URL below',
	}),
];

function targets(
	displayName: string,
	name: string,
	property: string,
	what: INodeProperties,
): INodeProperties {
	const link = {
		...textField('Target URL', 'link', 'https://www.example.com/offer'),
		description: 'Where to send these visitors',
	};
	return rowsField({
		displayName,
		name,
		description: 'Visitors to send to another URL',
		row: 'Target',
		values: [what, link],
		property,
		parse: (row) => ({
			[what.name]: parseRequiredLine(what.displayName, row[what.name]),
			link: requiredValue(parseAddress)(link.displayName, row.link),
		}),
	});
}
