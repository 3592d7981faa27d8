import { createHash } from 'node:crypto';

/**
 * What the API documents leave open, one setting per open point.
 *
 * Services respond differently where their document is silent. The sandbox can give each response. A preset is one
 * plausible service. The command line, the types and the tests are derived from this table.
 */
export const DIALECT_NAMES = [
	'documented',
	'strict-http',
	'php-style',
	'awkward',
	'hostile',
	'seen',
] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

export const DIALECT_SUMMARIES: Record<DialectName, string> = {
	documented: 'exactly as the two documents say; where they are silent, the simplest choice',
	'strict-http': 'a tidy service: exact status codes, page bounds enforced, key in a header',
	'php-style': 'status 200 for every failure, numbers as strings, [] for an empty map',
	awkward: 'allowed but misleading: wrong page numbers, swapped names, a wrong clock',
	hostile: 'breaks common assumptions: absurd waits, misleading messages, dates that go back',
	seen: 'as most installations of these services are seen to respond',
};

interface Choice {
	/** With the grade of a response that was seen; see `GRADES` in `commands.ts`. */
	about: string;
	/** What the service can answer; the first is what `documented` gives. */
	values: readonly string[];
	/** Its value in presets that do not give the first. */
	in?: Partial<Record<DialectName, string>>;
	/** Values that no draw gives: operations fail, need other settings, or send other requests. */
	notDrawn?: readonly string[];
}

export const CHOICES = {
	failureStatus: {
		about: 'status of a failing request',
		values: ['http4xx', 'http200', 'html'],
		notDrawn: ['html'],
		in: { 'php-style': 'http200', awkward: 'http200', hostile: 'http200' },
	},
	keyRefused: {
		about: 'status when the key is missing, unknown or expired',
		values: ['401', '403', '200'],
		in: { 'php-style': '200', awkward: '403', seen: '403' },
	},
	keyWords: {
		about:
			'links: message for a refused key (seen: "A valid API key is required to use this service.", grade A; vague: "Access denied.")',
		values: ['plain', 'seen', 'vague'],
		in: { seen: 'seen' },
	},
	keyScheme: {
		about: 'links: form of the Authorization header (token: the older Token <key>; grade C)',
		values: ['bearer', 'token'],
		notDrawn: ['token'],
	},
	keyHeader: {
		about: 'links: whether the Authorization header reaches the service (grade C)',
		values: ['kept', 'removed'],
		notDrawn: ['removed'],
	},
	botCheck: {
		about: 'links: requests without a certain cookie get a web page whose script sets it (grade B)',
		values: ['none', 'cookie'],
		notDrawn: ['cookie'],
	},
	apiAccess: {
		about: 'links: response to a valid key, 403 if not allowed (grade A)',
		values: ['allowed', 'no-permission', 'not-activated', 'disabled'],
		notDrawn: ['no-permission', 'not-activated', 'disabled'],
	},
	unknownRecord: {
		about:
			'links: status for a record that does not exist, or belongs to another account (grade A)',
		values: ['404', '403'],
	},
	invalidInput: {
		about:
			'links: response to an invalid value (laravel: 422 with "errors" and without "error"; grade A)',
		values: ['documented', 'laravel'],
		in: { seen: 'laravel' },
	},
	contentType: {
		about: 'the Content-Type of JSON (javascript: application/javascript, grade A)',
		values: ['json', 'javascript'],
		in: { seen: 'javascript' },
	},
	updatedLink: {
		about: 'links: name of the short URL after an update (grade A for shorturl)',
		values: ['short', 'shorturl'],
		in: { seen: 'shorturl' },
	},
	errorMember: {
		about:
			'links: type of "error" (as-documented: a number, "0" in lists, none in the overlay list; boolean: grade A; absent: none on success)',
		values: ['as-documented', 'number', 'string', 'boolean', 'absent'],
		in: {
			'strict-http': 'number',
			'php-style': 'string',
			awkward: 'absent',
			hostile: 'string',
			seen: 'boolean',
		},
	},
	rateLimited: {
		about:
			'links: response over the limit (retry-after: 429 with that header; body: 429, the seconds in the body; body-200: the same with 200; failure: 429 with neither; text: 429, plain text; http200: 200 with error 1; epoch: 429 with the header as an epoch; absurd: 200 with error "429", and a wait of 999999999999 in the body)',
		values: ['retry-after', 'body', 'body-200', 'failure', 'text', 'http200', 'epoch', 'absurd'],
		in: { 'php-style': 'http200', awkward: 'text', hostile: 'absurd', seen: 'body' },
	},
	resetFormat: {
		about: 'links: format of X-RateLimit-Reset',
		values: ['epoch-seconds', 'seconds-left', 'iso', 'datetime', 'epoch-milliseconds'],
		in: {
			'strict-http': 'seconds-left',
			'php-style': 'datetime',
			awkward: 'iso',
			hostile: 'epoch-milliseconds',
		},
	},
	maxLimit: {
		about:
			'links: maximum of limit, higher values are lowered to it (default without limit: 15; ignored: always 15; refused-above-50: higher values fail)',
		values: ['unlimited', '25', '100', 'ignored', 'refused-above-50'],
		notDrawn: ['refused-above-50'],
		in: { 'strict-http': '100', awkward: '25', hostile: 'ignored', seen: '100' },
	},
	listOrder: {
		about:
			'links: order of lists, newest (desc) or oldest (asc) first; with order=click, most or fewest clicks first',
		values: ['desc', 'asc'],
		in: { awkward: 'asc' },
	},
	nextPage: {
		about: 'links: nextpage on the last page',
		values: ['same', 'null', 'plus-one', 'zero'],
		in: {
			'strict-http': 'null',
			'php-style': 'zero',
			awkward: 'plus-one',
			hostile: 'plus-one',
			seen: 'null',
		},
	},
	integers: {
		about: 'links: integers in responses as numbers or strings (grade A)',
		values: ['number', 'string'],
		in: { 'php-style': 'string', hostile: 'string', seen: 'string' },
	},
	types: {
		about: 'decimals and booleans in responses, as documented or as "29.00", 0 and "1"',
		values: ['documented', 'strings'],
		in: { 'php-style': 'strings' },
	},
	pageBeyond: {
		about: 'links: response to a page beyond maxpage',
		values: ['empty', 'error', 'last', 'first'],
		in: { 'strict-http': 'error', 'php-style': 'last', awkward: 'last', hostile: 'error' },
	},
	perPage: {
		about: 'links: perpage is the actual page size, the limit that was sent, or missing',
		values: ['right', 'echoed', 'missing'],
	},
	result: {
		about: 'links: result counts the records of the list or of the page',
		values: ['list', 'page'],
	},
	pageNumbers: {
		about: 'links: whether maxpage and nextpage are present',
		values: ['both', 'no-maxpage', 'no-nextpage', 'none'],
	},
	pageCounts: {
		about: 'links: result, maxpage and nextpage are current, or up to a minute old',
		values: ['current', 'cached'],
	},
	listsBy: {
		about:
			'links: order of lists without an order parameter (name: by name or domain; starred: starred first)',
		values: ['creation', 'name', 'starred'],
	},
	largePages: {
		about: 'links: response to a limit above 50 (http500, http504: failure)',
		values: ['served', 'http500', 'http504'],
		notDrawn: ['http500', 'http504'],
	},
	topStatistics: {
		about:
			'links: topCountries and the like in link details (as-documented: 0 without traffic, then an object of string counts; integer: number of labels; array: [] without traffic)',
		values: ['as-documented', 'integer', 'object', 'array'],
		in: { 'strict-http': 'object', 'php-style': 'array', awkward: 'integer', hostile: 'integer' },
	},
	emptyMaps: {
		about: 'links: an empty map is {} or []',
		values: ['object', 'array'],
		in: { 'php-style': 'array', awkward: 'array', hostile: 'array', seen: 'array' },
	},
	campaignName: {
		about:
			'links: key of a campaign name (as-documented: "name" in lists except in one entry, "domain" after add and update; swapped: the reverse)',
		values: ['as-documented', 'swapped'],
		in: { awkward: 'swapped', hostile: 'swapped' },
	},
	pageReference: {
		about:
			'links: form of "type" for a splash page and a CTA overlay (plain: 7 and overlay-7; prefixed: splash-7 and overlay-7)',
		values: ['plain', 'prefixed'],
		notDrawn: ['prefixed'],
	},
	qrPicture: {
		about:
			'links: response at the address of a QR code (redirect: to another address of the picture; page: a web page; mistyped: the picture as text/plain; fake: a web page as image/png; huge: 11 MiB; missing: 404; loop: endless redirects)',
		values: ['png', 'svg', 'redirect', 'page', 'mistyped', 'fake', 'huge', 'missing', 'loop'],
		in: { 'strict-http': 'svg', awkward: 'redirect', hostile: 'redirect' },
		notDrawn: ['page', 'mistyped', 'fake', 'huge', 'missing', 'loop'],
	},
	storeKeyPlace: {
		about:
			'store: where api_key is read (body: GETs also from the query; form: GETs from the query, POSTs from form data alone)',
		values: ['any', 'query', 'header', 'body', 'form'],
		in: {
			'strict-http': 'header',
			'php-style': 'query',
			awkward: 'body',
			hostile: 'header',
			seen: 'body',
		},
	},
	storeKeyWords: {
		about:
			'store: response to a refused key (endpoint: the failure that the document has for the endpoint, such as "Invalid purchase code")',
		values: ['own', 'endpoint'],
		notDrawn: ['endpoint'],
	},
	underscoreHeaders: {
		about: 'store: whether the web server drops headers with an underscore in their name (grade B)',
		values: ['kept', 'dropped'],
		notDrawn: ['dropped'],
		in: { seen: 'dropped' },
	},
	invalidPurchase: {
		about: 'store: status for an invalid purchase code (401, 403, 422: no source)',
		values: ['404', '200', '401', '403', '422'],
		notDrawn: ['403'],
		in: { 'php-style': '200', awkward: '200', hostile: '200' },
	},
	invalidPurchaseWords: {
		about:
			'store: message for an invalid purchase code (documented: "Invalid purchase code"; translated: "Código de compra inválido", grade C)',
		values: ['documented', 'translated'],
		notDrawn: ['translated'],
	},
	codeSpelling: {
		about:
			'store: whether codes are compared without case, accents, strokes and scripts of digits, and then output as stored or as sent',
		values: ['exact', 'folded', 'folded-echo'],
	},
	purchasePlace: {
		about: 'store: member that holds a valid purchase (data, purchase, item: grade B)',
		values: ['data.purchase', 'data', 'purchase', 'item'],
		in: { seen: 'item' },
	},
	limitOverTime: {
		about: 'links: rate limit, constant or halved in every other window of a key',
		values: ['steady', 'changing'],
		in: { hostile: 'changing' },
	},
	aliases: {
		about: 'links: whether an alias is unique, or unique per domain',
		values: ['unique', 'per-domain'],
		in: { hostile: 'per-domain' },
	},
	aliasCharacters: {
		about: 'links: characters of an alias, only letters, digits, - and _, or any',
		values: ['plain', 'any'],
	},
	sameUrl: {
		about:
			'links: response to a create for a long URL that already has a link (existing: that link)',
		values: ['new', 'existing'],
		notDrawn: ['existing'],
	},
	linkAnswer: {
		about:
			'links: response to a create or update of a link (nested: id and shorturl under data; without-id: only short after a create, a message after an update; short_url: that instead of shorturl)',
		values: ['as-documented', 'nested', 'without-id', 'short_url'],
		notDrawn: ['nested', 'without-id'],
	},
	dates: {
		about:
			'links: dates of new records (back: every other one an hour earlier, as after an import)',
		values: ['forward', 'back'],
		in: { hostile: 'back' },
	},
	messages: {
		about:
			'links: messages of failures, except for the key and the limit (misleading: preceded by the words of other failures)',
		values: ['plain', 'misleading'],
		in: { hostile: 'misleading' },
	},
	extraMembers: {
		about:
			'undocumented members in lists and failures (campaign: a member campaign, grade A; some: misleading ones)',
		values: ['none', 'campaign', 'some'],
		in: { hostile: 'some', seen: 'campaign' },
	},
	noItems: {
		about: 'store: response for an account without items, "No items found" or an empty array',
		values: ['error', 'empty'],
		in: { 'strict-http': 'empty', awkward: 'empty', hostile: 'empty' },
	},
} as const satisfies Record<string, Choice>;

/** Seconds the clock of the services runs ahead (negative: behind), in every datetime and the Date header. */
export const CLOCK_SKEW = {
	about: 'seconds that the clock of both services is ahead (negative: behind)',
	in: { awkward: 120, hostile: -5400 },
} as const;

type Choices = typeof CHOICES;
export type ChoiceName = keyof Choices;
export type Dialect = { readonly [name in ChoiceName]: Choices[name]['values'][number] } & {
	readonly clockSkew: number;
};

const isChoiceName = (name: string): name is ChoiceName => Object.hasOwn(CHOICES, name);
export const CHOICE_NAMES = Object.keys(CHOICES).filter(isChoiceName);

/** The complete dialect of a preset. */
export function presetDialect(preset: DialectName): Dialect {
	const settings = CHOICE_NAMES.map((name) => {
		const choice: Choice = CHOICES[name];
		return [name, choice.in?.[preset] ?? choice.values[0]];
	});
	const skews: Partial<Record<DialectName, number>> = CLOCK_SKEW.in;
	return { ...Object.fromEntries(settings), clockSkew: skews[preset] ?? 0 } as Dialect;
}

/** The values of a setting that a draw may give. */
export function drawnValues(name: ChoiceName): string[] {
	const { values, notDrawn = [] }: Choice = CHOICES[name];
	return values.filter((value) => !notDrawn.includes(value));
}

/** A value of every setting, drawn by a number. Each draw is its own: a new setting leaves the others as they are. */
export function drawnDialect(seed: number): Dialect {
	const drawn = <T>(name: string, from: readonly T[]): T | undefined =>
		from[createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % from.length];
	const settings = CHOICE_NAMES.map((name) => [name, drawn(name, drawnValues(name))]);
	const clockSkew = drawn('clockSkew', [0, ...Object.values(CLOCK_SKEW.in)]);
	return { ...Object.fromEntries(settings), clockSkew } as Dialect;
}

/** A preset, or overrides on `documented`, as a complete dialect. */
export function resolveDialect(dialect: DialectName | Partial<Dialect> = 'documented'): Dialect {
	return typeof dialect === 'string'
		? presetDialect(dialect)
		: { ...presetDialect('documented'), ...dialect };
}

/** Members that no document has, if the dialect adds them to its responses. */
export function extraMembers(dialect: Dialect): Readonly<Record<string, unknown>> {
	return EXTRA_MEMBERS[dialect.extraMembers];
}

const EXTRA_MEMBERS = {
	none: {},
	campaign: { campaign: null },
	some: {
		code: '429',
		errors: ['rate limit exceeded', 'unauthorized'],
		api_version: '7',
		cursor: null,
	},
};
