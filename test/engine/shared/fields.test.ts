import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { address, domain, webAddress } from '../../../dist/nodes/LinkManagement/values/address.js';
import { hexColor, rgbColor } from '../../../dist/nodes/LinkManagement/values/color.js';
import { flag, line, secret, text } from '../../../dist/nodes/shared/values/input.js';
import type { Case, Fields, Fixture } from '../../fixtures.ts';
import { fixtureOf } from '../../fixtures.ts';
import type { OfferedOperation } from '../../operations.ts';
import { choicesOf, OPERATIONS } from '../../operations.ts';
import { callTool } from '../helpers/engine.ts';
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

const sameAs = (...values: unknown[]): Entry[] => values.map((value) => [value, value]);
const refuses = (message: RegExp, ...values: unknown[]): Entry[] =>
	values.map((value) => [value, message]);

const FORMULA = /is the error of a formula: ".+"\. Correct the formula in the sheet/;
const ROUNDED = /is a number that a spreadsheet has rounded: ".+"\. Format the column as text/;
const NO_ADDRESS = /must be a web address, but is ".+"\. Start it with/;

/** What no line and no text is. */
const BROKEN: Entry[] = [
	...refuses(
		/was read in the wrong encoding: .+\. In Extract from File, set Encoding, often to Latin1\.$/,
		'https://example.com/caf\ufffd',
		'M\ufffdller',
	),
	...refuses(
		FORMULA,
		'#REF!',
		' #N/A ',
		'#N/D',
		'#NV',
		'#DIV/0!',
		'#NAME?',
		'#BEZUG!',
		'#ÜBERLAUF!',
	),
	...refuses(FORMULA, '#¿NOMBRE?', '#¡DIV/0!', '#ЗНАЧ!', '#DĚLENÍ_NULOU!', '#####', 'Err:502'),
	...refuses(/has a broken character, such as half an emoji/, 'a:\ud83d'),
	...refuses(/must be text, but is "\{"a":1\}"/, { a: 1 }),
];
const NO_LINE: Entry[] = [
	...BROKEN,
	...refuses(/has a line break or another control character: "a\\u000ab"/, 'a\nb'),
];
const NUMBERS = refuses(ROUNDED, 1.23457e19, 12345678901234567, '1.23457E+19', '1,23457E+19', 2e-7);

const WEB_ADDRESS: Entry[] = [
	...sameAs('https://example.com/a?b=c#d', 'HTTP://Example.COM/%7e', 'http://intranet/x'),
	...sameAs('http://localhost:3000', 'https://[::1]/', 'https://example.com/https://example.org'),
	['\ufeffhttps://exam\u00adple.com/a\u200b \u202c', 'https://example.com/a'],
	[
		'https://größe.example/straße?q=a b"#ä',
		'https://xn--gre-6ka8i.example/stra%C3%9Fe?q=a%20b%22#%C3%A4',
	],
	...NO_LINE.filter(([entered]) => typeof entered === 'string'),
	...refuses(
		/Did you mean "https:\/\/example\.com\/a"\?/,
		'htps://example.com/a',
		'ttps://example.com/a',
	),
	...refuses(
		/Did you mean "https:\/\/example\.com\/a"\?/,
		'https//example.com/a',
		'https:example.com/a',
	),
	...refuses(
		/Did you mean "https:\/\/example\.com\/a"\?/,
		'https://https://example.com/a',
		'https://example,com/a',
	),
	...refuses(
		/Did you mean "https:\/\/example\.com\/a"\?/,
		'https://example..com/a',
		'See <https://example.com/a>',
	),
	...refuses(
		/Did you mean "http:\/\/example\.com"\?/,
		'htp://example.com',
		'htttp://example.com',
		'http:/example.com',
	),
	...refuses(
		/has more than one address: .+ Enter one of them, such as "https:\/\/a\.example"/,
		...['; ', ';', ' ', '\n', ' | '].map((joint) => `https://a.example${joint}https://b.example/x`),
	),
	...refuses(NO_ADDRESS, 'an address', 'ann@example.com', 'localhost:3000', 'https://', 7),
	...refuses(/is too long: it has 10021 characters/, `https://example.com/${'a'.repeat(10_001)}`),
];
const BARE: Entry[] = [
	['www.example.com', 'https://www.example.com'],
	['example.com:8080/path?a#b', 'https://example.com:8080/path?a#b'],
	['//bücher.example', 'https://xn--bcher-kva.example'],
];
const PLACEHOLDERS = [
	'{x y}',
	'{{ x }}',
	'[x y]',
	'%%X Y%%',
	'*|X|*',
	'<%= x %>',
	'${x}',
	'__X_Y__',
];

/** By the kind of value that a field takes. */
const ENTRIES: Record<string, Entry[]> = {
	line: [
		['\ufeff some\u00ad \u2066text\u200b \u202c', 'some text'],
		[7, '7'],
		...sameAs(
			'#SALE',
			'#1 Deal',
			'👩\u200d💻 ❤\ufe0f',
			'می\u200cخواهم',
			'1e5',
			999999999999999,
		).map(([value]): Entry => [value, String(value)]),
		...NO_LINE,
		...NUMBERS,
	],
	text: [
		...sameAs(
			' \ufefftwo\r\n\tlines\u200b ',
			'#SALE now!',
			'#Sale!',
			'👩\u200d💻',
			'1.5E+10',
			'a:\\b',
		),
		...sameAs('javascript:x'),
		[7, '7'],
		...BROKEN,
	],
	secret: [
		...sameAs(' #REF!\ufffd\u200b ', 'a:\\b'),
		[7, '7'],
		...refuses(/must be text\. Check/, { a: 'hidden' }),
	],
	address: [
		...WEB_ADDRESS,
		...BARE,
		...sameAs(
			'mailto:ann@example.com',
			'tel:+49',
			'intent://a#Intent;scheme=x;end',
			'upi://pay?pa=a@b',
		),
		...sameAs('ms-windows-store://pdp/', 'whatsapp://send?text=Hi', 'com.example.app://open'),
		...PLACEHOLDERS.flatMap((placeholder) => sameAs(`https://example.com/a?b=${placeholder}`)),
		[
			'mailto:ann@example.com?subject=Größe 7',
			'mailto:ann@example.com?subject=Gr%C3%B6%C3%9Fe%207',
		],
		[
			'https://wa.me/1?text=See https://example.com',
			'https://wa.me/1?text=See%20https://example.com',
		],
		...refuses(
			/must not be the address .+ could harm/,
			'javascript:x',
			' JavaScript:x',
			'java\u200bscript:x',
		),
		...refuses(
			/must not be the address .+ could harm/,
			'data:x',
			'vbscript:x',
			'file:///x',
			'blob:https://x',
		),
	],
	webAddress: [
		...WEB_ADDRESS,
		...BARE,
		...refuses(NO_ADDRESS, 'mailto:ann@example.com', 'javascript:x'),
	],
	domain: [
		...WEB_ADDRESS,
		...sameAs('www.example.com'),
		...refuses(NO_ADDRESS, 'mailto:ann@example.com', 'javascript:x'),
	],
	flag: [
		[' TRUE\u200b', true],
		[0, false],
		...refuses(/must be true or false, but is /, 'maybe', '#REF!'),
	],
	hexColor: [
		['#f90', '#ff9900'],
		['\ufeffFF9900', '#ff9900'],
		...refuses(/must be a color, but is /, 'red'),
		...refuses(FORMULA, '#REF!'),
	],
	moment: [
		['2030-06-01T12:00', '2030-06-01 12:00:00'],
		['\ufeff31.12.2030 18:00\u200b', '2030-12-31 18:00:00'],
		[47848, '2030-12-31 00:00:00'],
		['47848.958', '2030-12-31 22:59:31'],
		...refuses(/must be a date and time, but is /, 'tomorrow', 19_999, 80_001, 2030, 604_800_000),
		...refuses(FORMULA, '#NV'),
	],
};
ENTRIES.rgbColor = [['#f90', 'rgb(255,153,0)'], ...refuses(/must be a color, but is /, 'red')];

/** The kinds of fields that say how they are read. */
const KINDS = new Map<unknown, string>(
	Object.entries({ line, text, secret, address, webAddress, domain, hexColor, rgbColor, flag }).map(
		([kind, parse]) => [parse, kind],
	),
);

/** The other ones, which are parts of a value. */
const PART_KINDS: Record<string, string> = {
	expiry: 'moment',
	link: 'address',
	contentUrl: 'address',
	wifiPassword: 'secret',
	...Object.fromEntries(
		['text', 'subject', 'body', 'message', 'ssid'].map((name) => [name, 'text']),
	),
};

function entriesOf(field: INodeProperties): Entry[] {
	if (field.type === 'options') {
		const [first] = choicesOf(field);
		const last = choicesOf(field).at(-1)?.value;
		const message = refused(`${field.displayName} must be one of `);
		return [
			[last, last],
			[first?.name, message],
		];
	}
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
		const label = `${place.field.displayName} (?:ID must be a positive whole number, but is |is empty)`;
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
	// A link keeps its long URL, which the API requires.
	if (operation.name === 'link.update' && field.name === 'url') return like(/^https:/);
	return NOT_SENT;
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

const NOTHING = "={{ $fromAI('Nothing', '', 'string') }}";

/** A field that an agent may fill, filled with an empty text. */
function leftEmpty(field: INodeProperties): unknown {
	const { options = [], modes = [] } = field;
	const fields = (parts: INodeProperties[]) =>
		Object.fromEntries(parts.map((part) => [part.name, leftEmpty(part)]));
	if (field.type === 'collection')
		return fields(options.filter((option) => 'displayName' in option && 'type' in option));
	if (field.type === 'fixedCollection') {
		const [group] = options.filter((option) => 'values' in option);
		return group && { [group.name]: [fields(group.values)] };
	}
	return field.type === 'resourceLocator'
		? { ...byId(NOTHING), mode: modes.at(-1)?.name ?? '' }
		: NOTHING;
}

const UPDATES = OPERATIONS.flatMap((operation) => {
	const update = operation.fields.find(({ name }) => name === 'updateFields');
	return update ? [{ ...operation, update }] : [];
});

test.each(UPDATES)(
	'$name as a tool changes only what has a value, if all else is an empty text',
	async ({ update, ...operation }) => {
		const fixture = { ...fixtureOf(operation.node, operation.name), ...operation };
		const { rows, exchanges } = await prepare(stage, fixture);
		const given = JSON.parse(JSON.stringify(fixture.parameters), (_name, value: unknown) => {
			const [, column] = /^=\{\{ \$json\.(\w+) \}\}$/.exec(String(value)) ?? [];
			return column === undefined ? value : rows[0]?.[column];
		}) as Fields;
		const updateFields = { ...Object(leftEmpty(update)), ...Object(given.updateFields) } as Fields;
		const [resource, action] = operation.name.split('.');
		stage.sandbox.clearRequests();
		await callTool(
			{
				parameters: { ...given, resource, operation: action, updateFields } as INodeParameters,
				credentials: { linkManagementApi: stage.credentials.linkManagementApi ?? {} },
			},
			[[{ Nothing: '' }]],
		);
		const writes = stage.sent().filter(({ request }) => request.startsWith('PUT '));
		expect(writes.map(({ body }) => body)).toEqual([exchanges?.at(-1)?.body]);
	},
);

describe.each([
	['asEntered', 'Sale%20', '%20Now'],
	['hyphen', 'sale-', '-now'],
	['underscore', 'sale_', '_now'],
])('UTM tags %s', (utmFormat, start, end) => {
	const create = async (url: string, tags: unknown[]) => {
		const { requests } = await stage.link(
			'link.create',
			{
				url,
				additionalFields: { utm: { campaign: '={{ $json.tag }}' } },
				options: { utmFormat },
			},
			{
				rows: tags.map((tag) => ({ tag }) as IDataObject),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		return requests.map(({ body }) => (body as Fields).url);
	};

	test('keep the placeholders of mail and ad tools', async () => {
		const sent = await create(
			'https://example.com/#a',
			PLACEHOLDERS.map((placeholder) => `\ufeffSale ${placeholder} Now\u200b`),
		);
		expect(sent).toEqual(
			PLACEHOLDERS.map(
				(placeholder) => `https://example.com/?utm_campaign=${start}${placeholder}${end}#a`,
			),
		);
	});

	test('are not added to the link of an app', async () => {
		expect(await create('intent://a#Intent;end', ['Sale'])).toEqual(['intent://a#Intent;end']);
	});
});

test('columns of a sheet are read as the fields that they fill', async () => {
	const rows: Array<[row: IDataObject, outcome: object]> = [
		[{ url: '#REF!' }, { error: like(/^Column "url" is the error of a formula/) }],
		[{ url: 'htps://a.example' }, { error: like(/^Column "url" .+ Did you mean "https/) }],
		[{ 'Long URL': 'a.example', slug: 1.5e20 }, { error: like(/^Column "slug" is a number/) }],
		[
			{ url: 'a.example', 'Meta Title': 'M\ufffd' },
			{ error: like(/^Column "Meta Title" was read/) },
		],
		[
			{ url: 'a.example', campaign: '#N/A' },
			{ error: like(/^Campaign is the error of a formula/) },
		],
		[{ url: 'a.example', 'UTM Term': '#NV' }, { error: like(/^Column "UTM Term" is the error/) }],
		[{ url: '\u200b', 'Meta Title': ' ' }, { outcome: 'skipped' }],
		[
			{ '\ufeffURL\u200b': 'b.example', 'UTM\u00a0Source': '{{x}}', expiry: 47848, password: '' },
			{ outcome: 'created', longurl: 'https://b.example?utm_source={{x}}' },
		],
	];
	const { json, requests } = await stage.link(
		'link.upsert',
		{ mappingMode: 'autoMapInputData' },
		{ rows: rows.map(([row]) => row), settings: { onError: 'continueRegularOutput' } },
	);
	expect(json).toMatchObject(rows.map(([, outcome]) => outcome));
	const writes = requests.filter(({ request }) => request.startsWith('POST '));
	expect(writes.map(({ body }) => body)).toEqual([
		{ url: 'https://b.example?utm_source={{x}}', expiry: '2030-12-31 00:00:00' },
	]);
});
