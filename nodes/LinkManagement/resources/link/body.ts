// Writes the body of a request about a link: parameters, UTM tags, domain.

import type { IDataObject } from 'n8n-workflow';

import type { RowInput, RowContext } from '../../../shared/operations/operation';
import { columnLabel } from '../../../shared/operations/rowInput';
import { runAll } from '../../../shared/values/failure';
import { mapIn, pickedValue, recordsIn, textIn, without } from '../../../shared/values/json';
import {
	isBlank,
	parseLine,
	type ParseValue,
	parseId,
	parseRequiredLine,
	parseTag,
} from '../../../shared/values/input';
import { besidePlaceholders } from '../../values/address';
import { withQuery } from '../../values/longUrl';
import { hostIn } from '../../values/shortUrl';
import { brandedDomain } from './linkRun';
import { requireOtherAddress } from './loop';

export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** As it is in a long URL. */
export const tagName = (name: string): string => `utm_${name}`;

const TAGS = UTM_NAMES.map(tagName);

/** `UTM Source`, as in errors and in the columns of a sheet. */
export const utmLabel = (name: string): string =>
	`UTM ${name.replace(/^./, (letter) => letter.toUpperCase())}`;

/** Reads rows of `{name, value}`; empty rows are left out. The API replaces all parameters of a link by these. */
export const linkParameters: ParseValue<IDataObject[]> = (_label, parameters) =>
	recordsIn(mapIn(parameters).parameter)
		.filter(({ name, value }) => !isBlank(name) || !isBlank(value))
		.map(({ name, value }) => ({
			name: parseRequiredLine('Parameter Name', name),
			value: isBlank(value) ? '' : parseLine('Parameter Value', value),
		}));

/** Reads the ids of pixels; empty rows are left out. The API replaces all pixels of a link by these. */
export const pixelsOf: ParseValue<number[]> = (label, pixels) =>
	recordsIn(mapIn(pixels).pixel)
		.map(({ pixelId }) => pickedValue(pixelId))
		.filter((id) => !isBlank(id))
		.map((id) => parseId(label, id));

const SEPARATORS: Readonly<Record<string, string>> = { underscore: '_', hyphen: '-' };

/** Reads a UTM tag, and writes it as the row wants it. */
export function utmTag(label: string, value: unknown, { parameters }: RowInput): string {
	const separator = SEPARATORS[textIn(mapIn(parameters.options).utmFormat) ?? ''];
	const tag = parseTag(label, value);
	return separator === undefined ? tag : joinedWords(tag, separator);
}

/** Reads UTM tags as `{utm_source, …}`; those without a value are left out. */
export function utmTags(_label: string, utm: unknown, input: RowInput): IDataObject {
	const tags: IDataObject = {};
	const reads = UTM_NAMES.map((name) => () => {
		const value = mapIn(utm)[name];
		if (isBlank(value)) return;
		const cell = input.columns?.get(name);
		const label = cell ? columnLabel(cell) : utmLabel(name);
		tags[tagName(name)] = utmTag(label, value, input);
	});
	runAll(reads);
	return tags;
}

const joinedWords = (tag: string, separator: string): string =>
	besidePlaceholders(tag, (part) => part.toLowerCase().replace(/[\s_-]+/g, separator));

/** The body with its UTM tags in its long URL, if that is a web address. On an update without one, they wait for the present URL. */
export function withTags({ utm, ...entered }: IDataObject): IDataObject {
	const single = Object.entries(entered).filter(([name]) => TAGS.includes(name));
	const tags = { ...mapIn(utm), ...Object.fromEntries(single) };
	const body = without(entered, ...TAGS);
	if (Object.keys(tags).length === 0) return body;
	if (typeof body.url !== 'string') return { ...body, utm: tags };
	if (!/^https?:/i.test(body.url)) return body;
	const { parameters, url, ...others } = body;
	const pairs = recordsIn(parameters);
	const kept = pairs.filter(({ name }) => !Object.hasOwn(tags, textIn(name) ?? ''));
	// An empty list would remove the parameters that the link has.
	const isReplaced = pairs.length > 0 && kept.length === 0;
	return {
		...others,
		url: withQuery(url, tags),
		...(parameters === undefined || isReplaced ? {} : { parameters: kept }),
	};
}

/** The body of a new link, with its tags. @throws Failure if it leads to its own alias */
export function newLinkBody(entered: IDataObject, { baseUrl }: RowInput): IDataObject {
	const body = withTags(entered);
	requireOtherAddress(body, baseUrl);
	return body;
}

/** A domain as most services spell it. */
const WHOLE_DOMAIN = /^https?:\/\/[^A-Z/]+$/;

/** The body with a domain that was entered in another form as the account's list spells it: some services compare texts. */
export async function withDomain(body: IDataObject, row: RowContext): Promise<IDataObject> {
	const domain = textIn(body.domain);
	if (domain === undefined || WHOLE_DOMAIN.test(domain)) return body;
	const listed = await brandedDomain(hostIn(domain) ?? domain, row);
	return { ...body, domain: listed ?? domain };
}
