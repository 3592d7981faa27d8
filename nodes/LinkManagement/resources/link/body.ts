import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../../shared/operations/form';
import type { Row } from '../../../shared/operations/row';
import { mapIn, pickedValue, recordsIn, textIn } from '../../../shared/values/json';
import {
	isBlank,
	type ParseValue,
	required,
	requiredLine,
	line,
} from '../../../shared/values/input';
import { address } from '../../values/address';

/** How the ID of a page is written in `type`, with `*` for the ID; the API document does not say. */
const PAGES: Readonly<Record<string, { field: string; format: string }>> = {
	customSplash: { field: 'splashPageId', format: '*' },
	overlay: { field: 'ctaOverlayId', format: 'overlay-*' },
};

/** The tags of web analytics, as the field names them. */
export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** `UTM Source`, as in errors and in the columns of a sheet. */
export const utmLabel = (name: string): string =>
	`UTM ${name.replace(/^./, (letter) => letter.toUpperCase())}`;

const pageOf = (type: string) => (Object.hasOwn(PAGES, type) ? PAGES[type] : undefined);

/** Reads the kind of redirect. For one to a page, `withPage` writes the page's ID into the body, once it is looked up. */
export function redirectType(label: string, value: unknown, form: Form): string {
	const type = line(label, value);
	const page = pageOf(type);
	if (page === undefined) return type;
	form.pick(page.field);
	line(label, pageFormat(form) ?? '');
	return type;
}

const pageFormat = ({ parameter }: Form): string | undefined =>
	textIn(mapIn(parameter('additionalFields')).pageIdFormat);

/** The body with the page to show in its `type`. */
export function withPage(body: IDataObject, row: Row): IDataObject {
	const page = typeof body.type === 'string' ? pageOf(body.type) : undefined;
	if (page === undefined) return body;
	const format = pageFormat(row.form) ?? page.format;
	return { ...body, type: format.replaceAll('*', String(row.id(page.field))) };
}

/** Reads rows of `{<what>, link}`; empty rows are left out. */
export const targetsOf =
	(what: string, label: string): ParseValue<IDataObject[]> =>
	(_label, targets) =>
		recordsIn(mapIn(targets).target)
			.map((row) => ({ name: pickedValue(row[what]), link: row.link }))
			.filter(({ name, link }) => !isBlank(name) || !isBlank(link))
			.map(({ name, link }) => ({
				[what]: requiredLine(`${label} of a target`, name),
				link: required(address)('Target URL', link),
			}));

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
export function utmTags(_label: string, utm: unknown, { parameter }: Form): IDataObject {
	const separator = SEPARATORS[textIn(mapIn(parameter('options')).utmFormat) ?? ''];
	const tags = UTM_NAMES.map((name) => {
		const value = mapIn(utm)[name];
		const tag = isBlank(value) ? '' : line(utmLabel(name), value);
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
