// UTM tags: the fields for them, and how they get into the long URL.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Row } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/requestFields';
import { columnLabel } from '../../../shared/operations/rowValues';
import { runAll } from '../../../shared/values/failure';
import { isBlank, parseNumericLine } from '../../../shared/values/input';
import { mapIn, recordsIn, textIn, without } from '../../../shared/values/json';
import { lowerCase } from '../../../shared/values/text';
import { hasHttp } from '../../../shared/values/webAddress';
import { textField } from '../../resourceFields';
import { besidePlaceholders, withQuery } from '../../values/longUrl';

export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** As it is in a long URL. */
const tagName = (name: string): string => `utm_${name}`;

/** `UTM Source`, as in errors and in the columns of a sheet. */
export const utmLabel = (name: string): string =>
	`UTM ${name.replace(/^./, (letter) => letter.toUpperCase())}`;

const TAG_FIELDS = [
	{ name: 'source', example: 'newsletter', what: 'The site or mailing that visitors come from' },
	{ name: 'medium', example: 'email', what: 'The kind of channel, such as email or social' },
	{ name: 'campaign', example: 'spring-sale', what: 'The campaign the link belongs to' },
	{ name: 'term', example: 'rain jacket', what: 'The paid search term' },
	{ name: 'content', example: 'header-button', what: 'Which of several links was clicked' },
].map(({ name, example, what }) => ({
	...textField(utmLabel(name).replace('UTM ', ''), name, example),
	description: what,
}));

/** For an agent, which fills single fields with fewer errors than a collection; outside the collections, too. */
export const toolTagFields: readonly INodeProperties[] = TAG_FIELDS.map((field) => ({
	...field,
	displayName: utmLabel(field.name),
	name: `utm${field.displayName}`,
	displayOptions: { show: { '@tool': [true] } },
	routing: inBody(tagName(field.name), utmTag),
}));

export const utmField: INodeProperties = {
	displayName: 'UTM Parameters',
	name: 'utm',
	type: 'collection',
	placeholder: 'Add UTM Parameter',
	// All five at once, in the order in which campaign builders ask for them.
	default: { source: '', medium: '', campaign: '', term: '', content: '' },
	description: 'Tags for web analytics, written into the long URL',
	options: TAG_FIELDS,
	routing: inBody('utm', utmTags),
};

export const utmFormatOption: INodeProperties = {
	displayName: 'UTM Format',
	name: 'utmFormat',
	type: 'options',
	options: [
		{ name: 'As Entered', value: 'asEntered' },
		{ name: 'Lower Case With -', value: 'hyphen', description: 'Summer Sale becomes summer-sale' },
		{
			name: 'Lower Case With _',
			value: 'underscore',
			description: 'Summer Sale becomes summer_sale',
		},
	],
	default: 'asEntered',
	description: 'How to write UTM tags. Placeholders such as {keyword} stay as they are.',
};

const SEPARATORS: Readonly<Record<string, string>> = { underscore: '_', hyphen: '-' };

/** Reads a UTM tag, and writes it as the row wants it. */
function utmTag(label: string, value: unknown, { parameters }: Row): string {
	const separator = SEPARATORS[textIn(mapIn(parameters.options).utmFormat) ?? ''];
	const tag = parseNumericLine(label, value);
	if (separator === undefined) return tag;
	return besidePlaceholders(tag, (part) => part.toLowerCase().replace(/[\s_-]+/g, separator));
}

/** Reads UTM tags as `{utm_source, …}`; those without a value are left out. */
export function utmTags(_label: string, utm: unknown, row: Row): IDataObject {
	const tags: IDataObject = {};
	const reads = UTM_NAMES.map((name) => () => {
		const value = mapIn(utm)[name];
		const cell = row.columns?.get(name);
		const label = cell ? columnLabel(cell) : utmLabel(name);
		if (!isBlank(value)) tags[tagName(name)] = utmTag(label, value, row);
	});
	runAll(reads);
	return tags;
}

const TAG_NAMES = UTM_NAMES.map(tagName);

/** The body with its UTM tags in its long URL, if that is a web address. On an update without one, they wait for the present URL. */
export function withTags({ utm, ...entered }: IDataObject): IDataObject {
	const single = Object.entries(entered).filter(([name]) => TAG_NAMES.includes(name));
	const tags = { ...mapIn(utm), ...Object.fromEntries(single) };
	const body = without(entered, ...TAG_NAMES);
	if (Object.keys(tags).length === 0) return body;
	if (typeof body.url !== 'string') return { ...body, utm: tags };
	if (!hasHttp(body.url)) return body;
	const url = withQuery(body.url, tags);
	// A service would append a parameter of that name once more. An empty list would remove those that the link has.
	const parameters = recordsIn(body.parameters).filter(({ name }) => !(lowerCase(name) in tags));
	const others = without(body, 'parameters');
	return parameters.length === 0 ? { ...others, url } : { ...others, url, parameters };
}
