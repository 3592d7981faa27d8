// Writes the body of a request about a link: parameters, UTM tags, domain.

import type { IDataObject } from 'n8n-workflow';

import { columnLabel, type Form } from '../../../shared/operations/form';
import type { Row } from '../../../shared/operations/row';
import { mapIn, recordsIn, textIn } from '../../../shared/values/json';
import { isBlank, line, type ParseValue, requiredLine } from '../../../shared/values/input';
import { domainsByHost } from '../../lists';
import { hostIn } from '../../records';

/** The tags of web analytics, as the field names them. */
export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** `UTM Source`, as in errors and in the columns of a sheet. */
export const utmLabel = (name: string): string =>
	`UTM ${name.replace(/^./, (letter) => letter.toUpperCase())}`;

/** Reads rows of `{name, value}`; empty rows are left out. The API replaces all parameters of a link by these. */
export const parametersOf: ParseValue<IDataObject[]> = (_label, parameters) =>
	recordsIn(mapIn(parameters).parameter)
		.filter(({ name, value }) => !isBlank(name) || !isBlank(value))
		.map(({ name, value }) => ({
			name: requiredLine('The name of a parameter', name),
			value: isBlank(value) ? '' : line('The value of a parameter', value),
		}));

/** What *UTM Format* puts between the words of a tag. */
const SEPARATORS: Readonly<Record<string, string>> = { underscore: '_', hyphen: '-' };

/** Reads UTM tags as `{utm_source, …}`; those without a value are left out. */
export function utmTags(_label: string, utm: unknown, { parameter, columns }: Form): IDataObject {
	const separator = SEPARATORS[textIn(mapIn(parameter('options')).utmFormat) ?? ''];
	const tags = UTM_NAMES.map((name) => {
		const value = mapIn(utm)[name];
		const cell = columns?.get(name);
		const tag = isBlank(value) ? '' : line(cell ? columnLabel(cell) : utmLabel(name), value);
		return [`utm_${name}`, separator === undefined ? tag : joinedWords(tag, separator)] as const;
	});
	return Object.fromEntries(tags.filter(([, value]) => value !== ''));
}

/** A tag in lower case with one separator between its words. Placeholders of ad networks, as in `{keyword}`, stay as they are. */
const joinedWords = (tag: string, separator: string): string =>
	tag
		.split(/(\{[^{}]*\})/)
		.map((part) =>
			part.startsWith('{') ? part : part.toLowerCase().replace(/[\s_-]+/g, separator),
		)
		.join('');

/** The body with its UTM tags written into its long URL. On an update without one, the tags wait for the present URL. */
export function withTags({ utm, ...body }: IDataObject): IDataObject {
	const tags = mapIn(utm);
	if (Object.keys(tags).length === 0) return body;
	if (typeof body.url !== 'string') return { ...body, utm };
	const { parameters, url, ...others } = body;
	const pairs = recordsIn(parameters).filter(
		({ name }) => !Object.hasOwn(tags, textIn(name) ?? ''),
	);
	return {
		...others,
		url: withQuery(url, tags),
		...(parameters === undefined ? {} : { parameters: pairs }),
	};
}

/** An address with these query parameters in place of those of the same names. The rest stays as it was entered. */
export function withQuery(url: string, values: IDataObject): string {
	const [, start = '', query = '', fragment = ''] =
		/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
	const kept = query
		.split('&')
		.filter((pair) => pair !== '' && !Object.hasOwn(values, parameterName(pair)));
	const added = Object.entries(values).map(([name, value]) => pairOf(name, value));
	return `${start}?${[...kept, ...added].join('&')}${fragment}`;
}

const parameterName = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

/** Braces are placeholders of ad networks, as in `{keyword}`, which do not find them encoded. */
const pairOf = (name: string, value: unknown): string =>
	`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
		.replaceAll('%7B', '{')
		.replaceAll('%7D', '}');

/** The body with a domain that was entered without its scheme as the account's list spells it: some services compare texts. */
export async function withDomain(body: IDataObject, { list }: Row): Promise<IDataObject> {
	const domain = textIn(body.domain);
	if (domain === undefined || /^https?:\/\//i.test(domain)) return body;
	const [listed] = await list(domainsByHost).all(hostIn(domain) ?? domain, false);
	return { ...body, domain: textIn(listed?.domain) ?? domain };
}
