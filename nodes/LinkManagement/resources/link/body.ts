import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../../../shared/operations/itemContext';
import { mapIn, pickedValue, recordsIn, textIn } from '../../../shared/values/json';
import type { ReadParameter } from '../../../shared/values/path';
import type { ReadValue } from '../../../shared/values/text';
import { isBlank, required, requiredText, text, verbatim } from '../../../shared/values/text';
import { address } from '../../values/address';

/** How the ID of a page is written in `type`, with `*` for the ID; the API document does not say. */
const PAGES: Readonly<Record<string, { field: string; format: string }>> = {
	customSplash: { field: 'splashPageId', format: '*' },
	overlay: { field: 'ctaOverlayId', format: 'overlay-*' },
};

/** The tags of web analytics, as the field names them. */
const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** The optional fields that the user added, on a create or on an update. */
const addedFields = (read: ReadParameter): IDataObject => ({
	...mapIn(read('additionalFields')),
	...mapIn(read('updateFields')),
});

/** The value of `type` of a new link: the kind of redirect, or the page to show before it. */
export function redirectType(label: string, value: unknown, { read, id }: ItemContext): string {
	const type = text(label, value);
	const page = Object.hasOwn(PAGES, type) ? PAGES[type] : undefined;
	if (page === undefined) return type;
	const { pageIdFormat } = mapIn(read('options'));
	return (textIn(pageIdFormat) ?? page.format).replaceAll('*', String(id(page.field)));
}

/** The body of a create. */
export const newLinkBody = (body: IDataObject, context: ItemContext): IDataObject =>
	withoutDoubleTags(withParameters(body, context));

/** Reads rows of `{<what>, link}`; empty rows are left out. */
export const targetsOf =
	(what: string): ReadValue<IDataObject[]> =>
	(_label, targets) =>
		recordsIn(mapIn(targets).target)
			.map((row) => ({ name: pickedValue(row[what]), link: row.link }))
			.filter(({ name, link }) => !isBlank(name) || !isBlank(link))
			.map(({ name, link }) => ({
				[what]: requiredText(`The ${what} of a target`, name),
				link: required(address)('The link of a target', link),
			}));

/**
 * Adds `parameters` if the user added any: the pairs, then the UTM tags that have a value. The API replaces all parameters
 * of a link by these.
 */
export function withParameters(body: IDataObject, { read }: ItemContext): IDataObject {
	const { parameters, utm } = addedFields(read);
	const tags = utmTags(mapIn(utm));
	if (parameters === undefined && tags.length === 0) return body;
	const pairs = recordsIn(mapIn(parameters).parameter)
		.filter(({ name, value }) => !isBlank(name) || !isBlank(value))
		.map(({ name, value }) => ({
			name: requiredText('The name of a parameter', name),
			value: isBlank(value) ? '' : verbatim('The value of a parameter', value),
		}))
		.filter(({ name }) => !tags.some((tag) => tag.name === name));
	return { ...body, parameters: [...pairs, ...tags] };
}

const utmTags = (utm: IDataObject): Array<{ name: string; value: string }> =>
	UTM_NAMES.map((name) => ({
		name: `utm_${name}`,
		value: isBlank(utm[name]) ? '' : text(`UTM ${name}`, utm[name]),
	})).filter(({ value }) => value !== '');

/** Replaces UTM tags that the long URL already has in the URL, instead of sending them as parameters: visitors would get both. */
export function withoutDoubleTags(body: IDataObject): IDataObject {
	const { url, parameters } = body;
	if (typeof url !== 'string') return body;
	const [matched = '', start = '', query = ''] = /^([^?#]*\?)([^#]*)/.exec(url) ?? [];
	const fragment = url.slice(matched.length);
	const present = new Set(query.split('&').map(nameOf));
	const isInUrl = ({ name }: IDataObject): boolean =>
		typeof name === 'string' && name.startsWith('utm_') && present.has(name);
	const pairs = recordsIn(parameters);
	const tags = new Map(pairs.filter(isInUrl).map(({ name, value }) => [name, value]));
	if (tags.size === 0) return body;
	const kept = query.split('&').filter((pair) => !tags.has(nameOf(pair)));
	const replaced = [...tags].map(
		([name, value]) => `${text('Name', name)}=${encodeURIComponent(text('Value', value))}`,
	);
	return {
		...body,
		url: `${start}${[...kept, ...replaced].join('&')}${fragment}`,
		parameters: pairs.filter((pair) => !isInUrl(pair)),
	};
}

const nameOf = (pair: string): string => pair.split('=', 1).join();
