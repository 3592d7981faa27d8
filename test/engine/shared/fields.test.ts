import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Case, Fields, Fixture } from '../../fixtures.ts';
import { fixtureOf } from '../../fixtures.ts';
import type { OfferedOperation } from '../../operations.ts';
import { choicesOf, OPERATIONS } from '../../operations.ts';
import { prepare, runFixture } from '../helpers/fixture.ts';
import { byId, like, onStage, Stage } from '../helpers/support.ts';

/**
 * Every field of every operation, with values of other types, without a value, and with what is refused before any request.
 * The fixture of the operation says how the field is filled; here, it is filled from the column `value`.
 */

const stage = onStage(new Stage());

const VALUE = '={{ $json.value }}';

/** What is entered, and what arrives; or what the message says. */
type Entry = [entered: unknown, sent: unknown];

const refused = (message: string): RegExp =>
	new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
const NOT_SENT = undefined;
const CONTROL = /has a line break or another control/;

const TEXT: Entry[] = [
	['some text', 'some text'],
	[7, '7'],
	[{ a: 1 }, /must be text/],
];
const ADDRESS: Entry[] = [
	['https://example.com/a', 'https://example.com/a'],
	['example.com', /must be a web address, but is /],
];

/** By the kind of value that a field takes. */
const ENTRIES: Record<string, Entry[]> = {
	code: TEXT,
	// No text takes control characters, because it may become part of an address.
	lines: [...TEXT, ['two\r\n\tlines', 'two\r\n\tlines']],
	text: [...TEXT, ['a\nb', CONTROL]],
	address: [['mailto:ann@example.com', 'mailto:ann@example.com'], ...ADDRESS],
	webAddress: ADDRESS,
	flag: [
		[' TRUE ', true],
		['maybe', /must be true or false, but is /],
	],
	hexColor: [
		['#f90', '#ff9900'],
		['red', /must be a color, but is /],
	],
	moment: [
		['2030-06-01T12:00', '2030-06-01 12:00:00'],
		['tomorrow', /must be a date and time, but is /],
	],
};
ENTRIES.rgbColor = [['#f90', 'rgb(255,153,0)'], ...(ENTRIES.hexColor ?? []).slice(1)];

function entriesOf({ name }: OfferedOperation, field: INodeProperties): Entry[] {
	if (field.type === 'options') {
		const [first] = choicesOf(field);
		const last = choicesOf(field).at(-1)?.value;
		const message = refused(`${field.displayName} must be one of `);
		return [
			[last, last],
			[first?.name, message],
		];
	}
	const isDomain = `${name} ${field.name}` === 'domain.create domainName';
	const kinds: Record<string, boolean> = {
		flag: field.type === 'boolean',
		rgbColor: field.type === 'color' && name.startsWith('qrCode'),
		hexColor: field.type === 'color',
		moment: field.type === 'dateTime',
		webAddress: field.name === 'metaImage' || isDomain,
		address: /^(url|contentUrl|link)$|Redirect$/.test(field.name),
		// It may have been pasted with control characters, and is sent without.
		code: field.name === 'purchaseCode',
		lines: field.typeOptions?.rows !== undefined,
	};
	const kind = Object.keys(kinds).find((each) => kinds[each]) ?? 'text';
	return ENTRIES[kind] ?? [];
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
	modes.some(({ name }) => name === 'name' || name === 'url');

const isId = ({ field }: Place): boolean => field.modes?.at(-1)?.name === 'id';

test.each(DESTINATIONS.filter((place) => isId(place) && place.field.required))(
	'$name refuses what is not an ID before any request',
	async (place) => {
		const wrong = takesNames(place.field) ? NO_IDS : [...NO_IDS, 'abc'];
		const { json, requests } = await enter(place, wrong);
		const label = `${place.field.displayName} ID must be a positive whole number, but is `;
		expect(json).toHaveLength(wrong.length);
		for (const { error } of json) expect(error).toMatch(refused(label));
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

/** What the operation writes for these values, and the error of the first one. */
async function written(place: Place, values: unknown[]) {
	const { json, requests } = await enter(place, values);
	const writes = requests.filter(({ request }) => !request.startsWith('GET '));
	return { bodies: writes.map(({ body }) => body), error: json[0]?.error };
}

/** What arrives for an empty text, and for null. */
function blankOf({ operation, field, path }: Place): [empty: unknown, none: unknown] {
	const isRequired =
		field.required === true || operation.name + path.join() === 'link.upsertcustomAlias';
	if (path.includes('0')) return field.name === 'value' ? ['', ''] : [/is empty/, /is empty/];
	if (path[0] === 'vcard') return [NOT_SENT, NOT_SENT];
	if (isContent(field) && !isRequired)
		return field.type === 'options' ? [/must be one of/, /must be one of/] : ['', ''];
	if (path.length === 1 && isRequired) return [/is empty/, /is empty/];
	if (path[0] !== 'updateFields') return [NOT_SENT, NOT_SENT];
	if (field.type === 'boolean') return [false, NOT_SENT];
	if (field.type === 'options') return [/must be one of/, NOT_SENT];
	// A link keeps its long URL, which the API requires.
	if (field.name === 'url') return [/is empty/, like(/./)];
	return operation.name === 'account.update' ? [/is empty/, NOT_SENT] : ['', NOT_SENT];
}

describe.each(DESTINATIONS.filter((place) => !isId(place)))('$name', (place) => {
	const entries = entriesOf(place.operation, place.field);
	const wrong = entries.filter(([, message]) => message instanceof RegExp);
	const right = entries.filter((entry) => !wrong.includes(entry));

	test('refuses what cannot be sent before any request', async () => {
		const values = wrong.map(([entered]) => entered);
		const { json, requests } = await enter(place, values);
		expect(json).toMatchObject(wrong.map(([, message]) => ({ error: like(message as RegExp) })));
		expect(requests).toEqual([]);
	});

	if (!isSent(place.field)) return;

	test('sends what was entered, and clears or leaves out what is blank', async () => {
		const values = right.map(([entered]) => entered);
		const { bodies } = await written(place, values);
		const member = pathOf(bodies[0], right[0]?.[1]) ?? ['not found'];
		expect(bodies.map((body) => valueAt(body, member))).toEqual(right.map(([, sent]) => sent));
		for (const [at, expected] of blankOf(place).entries()) {
			const blank = await written(place, [['', null][at]]);
			const arrived = valueAt(blank.bodies[0], member);
			if (expected instanceof RegExp) expect(blank).toEqual({ bodies: [], error: like(expected) });
			else expect(arrived).toEqual(expected);
		}
	});
});
