/**
 * What the API documents leave open: one setting for each open point, with the responses that a service may give. A dialect is
 * a value for each of them. The command line, the types and the tests are derived from this table. What a single test needs
 * once is no setting: it orders that response with the fault `respond`.
 */

/**
 * `documented`: exactly as the two documents say, and the simplest choice where they are silent; `seen`: as most installations
 * are seen to respond; `hostile`: whatever else the documents allow.
 */
export const DIALECT_NAMES = ['documented', 'seen', 'hostile'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

interface Choice {
	about: string;
	/** What the service can answer; the first is what `documented` gives. */
	values: readonly string[];
	/** Its value in the other presets, where that is not the first. */
	seen?: string;
	hostile?: string;
}

export const CHOICES = {
	failureStatus: {
		about: 'status of a failing request',
		values: ['http4xx', 'http200'],
		hostile: 'http200',
	},
	keyRefused: {
		about: 'status when the key is missing, unknown or expired',
		values: ['401', '403', '200'],
		seen: '403',
		hostile: '200',
	},
	types: {
		about:
			'how values are written: as documented, links: integers as strings, or everywhere also decimals as "29.00" and booleans as 0 and "1"',
		values: ['documented', 'integers', 'strings'],
		seen: 'integers',
		hostile: 'strings',
	},
	extraMembers: {
		about: 'undocumented members in lists and failures, some of them misleading',
		values: ['none', 'some'],
		seen: 'some',
		hostile: 'some',
	},
	errorMember: {
		about:
			'links: "error" as a number, "0" in lists and none in the list of overlays; or as a boolean',
		values: ['as-documented', 'boolean'],
		seen: 'boolean',
		hostile: 'boolean',
	},
	rateLimited: {
		about:
			'links: response over the limit (retry-after: 429 with that header; body: 429, the seconds in the body; body-200: the same with 200; failure: 429 with neither; text: 429, plain text; http200: 200 with error 1)',
		values: ['retry-after', 'body', 'body-200', 'failure', 'text', 'http200'],
		seen: 'body',
		hostile: 'body-200',
	},
	resetFormat: {
		about: 'links: format of X-RateLimit-Reset',
		values: ['epoch-seconds', 'datetime'],
		hostile: 'datetime',
	},
	maxLimit: {
		about:
			'links: maximum of limit, higher values are lowered to it (default without limit: 15; ignored: always 15; refused-above-50: higher values fail)',
		values: ['unlimited', '100', '25', 'ignored', 'refused-above-50'],
		seen: '100',
		hostile: '25',
	},
	listOrder: {
		about:
			'links: order of lists, newest (desc) or oldest (asc) first, or by name; with order=click, most or fewest clicks first',
		values: ['desc', 'asc', 'name'],
		hostile: 'asc',
	},
	pageNumbers: {
		about:
			'links: numbers of a page (documented: all, nextpage of the last page is itself; last-null: there it is null; echoed: perpage repeats the limit that was sent, and nextpage goes on; few: currentpage and maxpage alone; of-page: result counts the records of the page, only currentpage beside it)',
		values: ['documented', 'last-null', 'echoed', 'few', 'of-page'],
		seen: 'last-null',
		hostile: 'echoed',
	},
	pageBeyond: {
		about: 'links: response to a page beyond the last one',
		values: ['empty', 'error', 'first'],
		hostile: 'error',
	},
	topStatistics: {
		about:
			'links: topCountries and the like in link details (as-documented: 0 without traffic, then an object of counts; integer: the number of labels)',
		values: ['as-documented', 'integer'],
		hostile: 'integer',
	},
	emptyMaps: {
		about: 'links: an empty map is {} or []',
		values: ['object', 'array'],
		seen: 'array',
		hostile: 'array',
	},
	campaignName: {
		about:
			'links: key of a campaign name (as-documented: "name" in lists except in one entry, "domain" after add and update; swapped: the reverse)',
		values: ['as-documented', 'swapped'],
		hostile: 'swapped',
	},
	linkAnswer: {
		about:
			'links: response to a create or update of a link (as-documented: id, and shorturl or short; shorturl: id and shorturl; nested: these under data; without-id: only short after a create, a message after an update; short_url: that instead of shorturl)',
		values: ['as-documented', 'shorturl', 'nested', 'without-id', 'short_url'],
		seen: 'shorturl',
	},
	aliases: {
		about: 'links: whether an alias is unique, or unique per domain',
		values: ['unique', 'per-domain'],
		hostile: 'per-domain',
	},
	sameUrl: {
		about:
			'links: response to a create for a long URL that already has a link (existing: that link)',
		values: ['new', 'existing'],
	},
	storeKeyPlace: {
		about:
			'store: where api_key is read (body: GETs also from the query; form: GETs from the query, POSTs from form data alone)',
		values: ['any', 'query', 'header', 'body', 'form'],
		seen: 'body',
		hostile: 'header',
	},
	storeKeyWords: {
		about:
			'store: response to a refused key (endpoint: the failure that the document has for the endpoint, such as "Invalid purchase code")',
		values: ['own', 'endpoint'],
	},
	invalidPurchase: {
		about: 'store: status for an invalid purchase code',
		values: ['404', '200', '403'],
		hostile: '200',
	},
	purchasePlace: {
		about: 'store: member that holds a valid purchase',
		values: ['data.purchase', 'data', 'purchase', 'item'],
		seen: 'item',
	},
	noItems: {
		about: 'store: response for an account without items, "No items found" or an empty array',
		values: ['error', 'empty'],
		hostile: 'empty',
	},
} as const satisfies Record<string, Choice>;

type Choices = typeof CHOICES;
export type ChoiceName = keyof Choices;
export type Dialect = { readonly [name in ChoiceName]: Choices[name]['values'][number] } & {
	/** Seconds that the clock of both services is ahead (negative: behind). */
	readonly clockSkew: number;
};

const isChoiceName = (name: string): name is ChoiceName => Object.hasOwn(CHOICES, name);
export const CHOICE_NAMES = Object.keys(CHOICES).filter(isChoiceName);

/** The complete dialect of a preset. */
export function presetDialect(preset: DialectName): Dialect {
	const settings = CHOICE_NAMES.map((name) => {
		const choice: Choice = CHOICES[name];
		const special = preset === 'documented' ? undefined : choice[preset];
		return [name, special ?? choice.values[0]];
	});
	const clockSkew = preset === 'hostile' ? -5400 : 0;
	return { ...Object.fromEntries(settings), clockSkew } as Dialect;
}

/** A preset, or settings that differ from `documented`, as a complete dialect. */
export function resolveDialect(dialect: DialectName | Partial<Dialect> = 'documented'): Dialect {
	return typeof dialect === 'string'
		? presetDialect(dialect)
		: { ...presetDialect('documented'), ...dialect };
}

const EXTRA_MEMBERS = { campaign: null, code: '429', api_version: '7', cursor: null };

/** Members that no document has, if the dialect adds them to its responses. */
export function extraMembers(dialect: Dialect): Readonly<Record<string, unknown>> {
	return dialect.extraMembers === 'some' ? EXTRA_MEMBERS : {};
}
