import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import {
	parseAddress,
	parseDomain,
	parseWebAddress,
} from '../../../dist/nodes/LinkManagement/values/address.js';
import { parseHexColor, parseRgbColor } from '../../../dist/nodes/LinkManagement/values/color.js';
import {
	parseBoolean,
	parseLine,
	parseName,
	parseSecret,
	parseText,
} from '../../../dist/nodes/shared/values/input.js';
import type { Case, Fields, Fixture } from '../../fixtures.ts';
import { fixtureOf } from '../../fixtures.ts';
import type { OfferedOperation } from '../../operations.ts';
import { choicesOf, OPERATIONS } from '../../operations.ts';
import type { Entry } from '../helpers/entries.ts';
import { ENTRIES, PLACEHOLDERS } from '../helpers/entries.ts';
import { prepare, runFixture } from '../helpers/fixture.ts';
import { byId, like, onStage, Stage } from '../helpers/support.ts';

/**
 * Every field of every operation, with values of other types, without a value, and with what is refused before any request.
 * The fixture of the operation says how the field is filled; here, it is filled from the column `value`.
 */

// A service that ignores a domain gets no further link for it.
const stage = onStage(new Stage({ foreignDomain: 'refused' }));

const VALUE = '={{ $json.value }}';

/** The kinds of fields that say how they are read. */
const KINDS = new Map<unknown, string>(
	Object.entries({
		address: parseAddress,
		domain: parseDomain,
		flag: parseBoolean,
		hexColor: parseHexColor,
		line: parseLine,
		name: parseName,
		rgbColor: parseRgbColor,
		secret: parseSecret,
		text: parseText,
		webAddress: parseWebAddress,
	}).map(([kind, parse]) => [parse, kind]),
);

/** The other ones, which are parts of a value. */
const PART_KINDS: Record<string, string> = {
	expiry: 'moment',
	customAlias: 'alias',
	link: 'address',
	contentUrl: 'address',
	wifiPassword: 'secret',
	phone: 'phone',
	...Object.fromEntries(
		['text', 'subject', 'body', 'message', 'ssid'].map((name) => [name, 'text']),
	),
};

function entriesOf(field: INodeProperties): Entry[] {
	if (field.type === 'options') {
		const [first] = choicesOf(field);
		const last = choicesOf(field).at(-1)?.value;
		const isOpen = 'isOpen' in { ...field.routing };
		return isOpen
			? [[last, last]]
			: [
					[last, last],
					[first?.name, / must be one of /],
				];
	}
	if (field.name === 'public' && field.routing?.send?.property === 'status')
		return ENTRIES.visibility ?? [];
	if (field.type === 'boolean') return ENTRIES.flag ?? [];
	const { parse } = { parse: undefined, ...field.routing };
	return ENTRIES[KINDS.get(parse) ?? PART_KINDS[field.name] ?? 'line'] ?? [];
}

/** A field, and where it is among the parameters. */
interface Place {
	name: string;
	operation: OfferedOperation;
	field: INodeProperties;
	path: string[];
	run: Fixture | Case;
}

/** The fields inside another one; a UTM tag is part of the long URL, see the fixtures. */
function partsOf(field: INodeProperties, path: string[]): Array<[INodeProperties, string[]]> {
	if (field.name === 'utm') return [];
	const options = field.options ?? [];
	if (field.type === 'fixedCollection') {
		return options.flatMap((group) =>
			'values' in group
				? group.values.map((part): [INodeProperties, string[]] => [
						part,
						[...path, group.name, '0', part.name],
					])
				: [],
		);
	}
	if (field.type !== 'collection') return [[field, path]];
	return options.flatMap((option) =>
		'type' in option ? partsOf(option, [...path, option.name]) : [],
	);
}

const valueAt = (members: unknown, path: string[]): unknown =>
	path.reduce((value: unknown, name) => (Object(value) as Fields)[name], members);

function withValueAt(members: unknown, [name = '', ...path]: string[], value: unknown): unknown {
	const copy = (
		Array.isArray(members) ? [...(members as unknown[])] : { ...Object(members) }
	) as Fields;
	copy[name] = path.length === 0 ? value : withValueAt(copy[name], path, value);
	return copy;
}

/** Content of a QR code is shown for some types. */
const isContent = ({ displayOptions: { show, hide } = {} }: INodeProperties): boolean =>
	(show?.qrType ?? hide?.qrType) !== undefined;

const isSent = (field: INodeProperties): boolean =>
	field.routing?.send?.type === 'body' || isContent(field);

/** The fixtures say what becomes of JSON; numbers of a list have their own suites. */
const isTested = (field: INodeProperties): boolean =>
	!['json', 'number'].includes(field.type) &&
	!field.noDataExpression &&
	(isSent(field) || ['boolean', 'options', 'resourceLocator'].includes(field.type));

/** A required field may have an optional twin, which is the same otherwise. */
const isFirst = ({ name }: INodeProperties, at: number, fields: INodeProperties[]): boolean =>
	fields.findIndex((field) => field.name === name) === at;

const DESTINATIONS: Place[] = OPERATIONS.flatMap((operation) => {
	const fixture = fixtureOf(operation.node, operation.name);
	const runs = [fixture, ...fixture.cases].filter(({ error, replay }) => !error && !replay);
	return operation.fields
		.filter(isFirst)
		.flatMap((field) => partsOf(field, [field.name]))
		.flatMap(([field, path]) => {
			const run = runs.find(({ parameters }) => valueAt(parameters, path) !== undefined);
			const name = `${operation.name} ${path.join('.')}`;
			return run && isTested(field) ? [{ name, operation, field, path, run }] : [];
		});
});

/** Runs the operation once, with a row for each of these values in the field. */
async function enter({ operation, path, run, field }: Place, values: unknown[]) {
	const { rows } = await prepare(stage, { ...operation, ...run });
	const isLocator = field.type === 'resourceLocator';
	const mode = field.required ? 'id' : (field.modes?.at(-1)?.name ?? '');
	const filled = isLocator ? { ...byId(VALUE), mode } : VALUE;
	const parameters = withValueAt(run.parameters, path, filled) as Fields;
	const given = { ...operation, ...run, parameters, onError: 'continueRegularOutput' } as const;
	return await runFixture(stage, given, {
		// Create or Update refuses a second row with the alias of another one.
		rows: values.map((value, at) => {
			const [row = {}] = rows;
			const custom = { custom: `field-${JSON.stringify(row.n)}-${at}` };
			return { ...row, ...(operation.name === 'link.upsert' ? custom : {}), value } as IDataObject;
		}),
	});
}

/** What is entered in place of an ID that is required, and is no name either. */
const NO_IDS = ['0', '-1', '+1', '1e3', '..', '.5', '1/delete', '%31', 7.5, true, ''];

/** Whether a name may be entered, too; then a text counts as one, because n8n sets *By ID* when a column is dragged there. */
const takesNames = ({ modes = [] }: INodeProperties): boolean =>
	modes.some(({ name }) => name !== 'list' && name !== 'id');

const isId = ({ field }: Place): boolean => field.modes?.at(-1)?.name === 'id';

test.each(DESTINATIONS.filter((place) => isId(place) && place.field.required))(
	'$name refuses what is not an ID before any request',
	async (place) => {
		const wrong = takesNames(place.field) ? NO_IDS : [...NO_IDS, 'abc'];
		const { json, requests } = await enter(place, wrong);
		const label = `${place.field.displayName}(?: ID' must be a positive whole number, but is |' is empty)`;
		expect(json).toHaveLength(wrong.length);
		for (const { error } of json) expect(error).toMatch(new RegExp(label));
		expect(requests).toEqual([]);
	},
);

/** Where a value is in a body. */
function pathOf(body: unknown, value: unknown, path: string[] = []): string[] | undefined {
	if (body === value) return path;
	if (typeof body !== 'object' || body === null) return undefined;
	const found = Object.entries(body).map(([name, member]) =>
		pathOf(member, value, [...path, name]),
	);
	return found.find((each) => each !== undefined);
}

/** What the operation writes for these values, and the error of each. */
async function written(place: Place, values: unknown[]) {
	const { json, requests } = await enter(place, values);
	const writes = requests.filter(({ request }) => !request.startsWith('GET '));
	return { bodies: writes.map(({ body }) => body), errors: json.map(({ error }) => error) };
}

/** What is blank; a cell of nothing but a zero-width space looks as empty as the others. */
const BLANKS = ['', null, [], ' ', '\u200b'];

/** What a QR code cannot do without. The panel does not ask for it, because the type may come from an expression. */
const MAIN_CONTENT = ['text', 'contentUrl', 'phone', 'email', 'ssid'];

/** What arrives for it. */
function blankOf({ operation, field, path }: Place): unknown {
	if (path.includes('0')) return field.name === 'value' ? '' : /is empty/;
	if (isContent(field) && MAIN_CONTENT.includes(field.name)) return /is empty/;
	if (isContent(field) && path[0] !== 'vcard')
		return field.type === 'options' ? /must be one of/ : '';
	if (path.length === 1 && field.required === true) return /is empty/;
	if (operation.name === 'qrCode.update') return undefined;
	if (field.name === 'background') return 'rgb(255,255,255)';
	if (field.name === 'foreground') return 'rgb(0,0,0)';
	// A link keeps its long URL, which the API requires.
	if (operation.name === 'link.update' && field.name === 'url') return like(/^https:/);
	return undefined;
}

describe.each(DESTINATIONS.filter((place) => !isId(place)))('$name', (place) => {
	const entries = entriesOf(place.field);
	const wrong = entries.filter(([, message]) => message instanceof RegExp);
	const right = entries.filter((entry) => !wrong.includes(entry));

	test('refuses what cannot be sent before any request', async () => {
		const values = wrong.map(([entered]) => entered);
		const { json, requests } = await enter(place, values);
		expect(json).toMatchObject(wrong.map(([, message]) => ({ error: like(message as RegExp) })));
		expect(JSON.stringify(json.map(({ error }) => error))).not.toContain('hidden');
		expect(requests).toEqual([]);
	});

	if (!isSent(place.field)) return;

	test('sends what was entered, and leaves out what is blank', async () => {
		const values = right.map(([entered]) => entered);
		const { bodies } = await written(place, values);
		const member = pathOf(bodies[0], right[0]?.[1]) ?? ['not found'];
		expect(bodies.map((body) => valueAt(body, member))).toEqual(right.map(([, sent]) => sent));
		const expected = blankOf(place);
		const blank = await written(place, BLANKS);
		if (expected instanceof RegExp) {
			expect(blank).toEqual({ bodies: [], errors: BLANKS.map(() => like(expected)) });
			return;
		}
		for (const body of blank.bodies) expect(valueAt(body, member)).toEqual(expected);
		const empty = blank.errors.filter(
			(error) => typeof error === 'string' && error.startsWith('There is nothing to update'),
		);
		expect(blank.bodies.length + empty.length).toBeGreaterThan(0);
	});
});

test.each([
	['asEntered', 'Sale%20', '%20Now'],
	['hyphen', 'sale-', '-now'],
	['underscore', 'sale_', '_now'],
])('UTM tags %s keep the placeholders of mail and ad tools', async (utmFormat, start, end) => {
	const rows = PLACEHOLDERS.map((placeholder) => ({ tag: `\ufeffSale ${placeholder} Now\u200b` }));
	const parameters = {
		url: 'https://example.com/#a',
		additionalFields: { utm: { campaign: '={{ $json.tag }}' } },
		options: { utmFormat },
	};
	const { requests } = await stage.link('link.create', parameters, { rows });
	expect(requests.map(({ body }) => (body as Fields).url)).toEqual(
		PLACEHOLDERS.map(
			(placeholder) => `https://example.com/?utm_campaign=${start}${placeholder}${end}#a`,
		),
	);
});

test('UTM tags are not added to the link of an app', async () => {
	const parameters = { url: 'intent://a#Intent;end', additionalFields: { utm: { term: 'Sale' } } };
	const { requests } = await stage.link('link.create', parameters);
	expect(requests).toMatchObject([{ body: { url: 'intent://a#Intent;end' } }]);
});

test('a target with a country and no URL is refused', async () => {
	const geoTargets = { target: [{ location: 'Germany', link: '' }] };
	const parameters = { url: 'https://example.com/', additionalFields: { geoTargets } };
	const { error, requests } = await stage.link('link.create', parameters);
	expect(error?.message).toMatch(/^'Target URL' is empty/);
	expect(requests).toEqual([]);
});

test.each<[what: string, updateFields: INodeParameters]>([
	['blank ones', { metaTitle: 'New', parameters: { parameter: [{ name: '', value: '' }] } }],
	[
		'one that a UTM tag replaces',
		{
			utm: { source: 'mail' },
			parameters: { parameter: [{ name: 'utm_source', value: 'old' }] },
		},
	],
])('an update leaves the parameters of a link alone for %s', async (_what, updateFields) => {
	const linkId = byId(await stage.make('/api/url/add', { url: 'https://example.com/' }));
	const { requests } = await stage.link('link.update', { linkId, updateFields });
	const written = requests.find(({ request }) => request.startsWith('PUT '));
	expect(written?.body).toMatchObject({ url: like(/^https:/) });
	expect(written?.body).not.toHaveProperty('parameters');
});
