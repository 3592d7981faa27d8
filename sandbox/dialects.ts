/**
 * What the API documents leave open: one setting for each open point, with the responses that a service may give. A dialect is
 * a value for each of them. What a single test needs once is no setting: it orders that response with the fault `respond`.
 */

/** The values of each setting; the first is what `documented` gives: what the documents say, or the simplest choice. */
export const CHOICES = {
	/** Status of a failing request */
	failureStatus: ['http4xx', 'http200'],
	/** Status when the key is missing, unknown or expired */
	keyRefused: ['401', '403', '200'],
	/** How values are written: integers of links as strings; everywhere also decimals as "29.00" and booleans as 0 and "1" */
	types: ['documented', 'integers', 'strings'],
	/** Undocumented members in lists and failures, some of them misleading */
	extraMembers: ['none', 'some'],
	/** Links: "error" as a number, "0" in lists and none in the list of overlays; or as a boolean */
	errorMember: ['as-documented', 'boolean'],
	/** Links, over the limit: 429 with Retry-After; with the seconds in the body; that with 200; plain text; 200 with error 1 */
	rateLimited: ['retry-after', 'body', 'body-200', 'text', 'http200'],
	/** Links: maximum of limit, to which higher values are lowered; ignored: always 15; refused-above-50: higher values fail */
	maxLimit: ['unlimited', '100', '25', 'ignored', 'refused-above-50'],
	/** Links: newest or oldest first, or by name; with order=click, most or fewest clicks first */
	listOrder: ['desc', 'asc', 'name'],
	/**
	 * Links: numbers of a page. documented: all, nextpage of the last page is itself; last-null: there it is null; echoed: perpage
	 * repeats the limit that was sent, and nextpage goes on; few: currentpage and maxpage alone; of-page: result counts the
	 * records of the page, only currentpage beside it
	 */
	pageNumbers: ['documented', 'last-null', 'echoed', 'few', 'of-page'],
	/** Links: response to a page beyond the last one */
	pageBeyond: ['empty', 'error', 'first'],
	/** Links: topCountries and the like in link details: 0 without traffic, then an object of counts; or the number of labels */
	topStatistics: ['as-documented', 'integer'],
	/** Links: an empty map is {} or [] */
	emptyMaps: ['object', 'array'],
	/**
	 * Links: response to a create or update of a link. as-documented: id, and shorturl or short; shorturl: id and shorturl; nested:
	 * these under data; without-id: only short after a create, a message after an update; short_url: that instead of shorturl
	 */
	linkAnswer: ['as-documented', 'shorturl', 'nested', 'without-id', 'short_url'],
	/** Links: whether an alias is unique, or unique per domain */
	aliases: ['unique', 'per-domain'],
	/** Links: response to a create for a long URL that already has a link; existing: that link */
	sameUrl: ['new', 'existing'],
	/** Store: where api_key is read; body: GETs also from the query; form: GETs from the query, POSTs from form data alone */
	storeKeyPlace: ['any', 'query', 'header', 'body', 'form'],
	/** Store: response to a refused key; endpoint: the failure that the document has for the endpoint */
	storeKeyWords: ['own', 'endpoint'],
	/** Store: member that holds a valid purchase */
	purchasePlace: ['data.purchase', 'data', 'purchase', 'item'],
	/** Store: response for an account without items, "No items found" or an empty array */
	noItems: ['error', 'empty'],
} as const;

type Choices = typeof CHOICES;
export type ChoiceName = keyof Choices;
export type Dialect = { readonly [name in ChoiceName]: Choices[name][number] } & {
	/** Seconds that the clock of both services is ahead (negative: behind) */
	readonly clockSkew: number;
};

export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

export const DIALECT_NAMES = ['documented', 'seen', 'hostile'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** What differs from `documented`. */
const PRESETS: Record<DialectName, Partial<Dialect>> = {
	documented: {},
	/** As most installations of these services are seen to respond */
	seen: {
		keyRefused: '403',
		types: 'integers',
		extraMembers: 'some',
		errorMember: 'boolean',
		rateLimited: 'body',
		maxLimit: '100',
		pageNumbers: 'last-null',
		emptyMaps: 'array',
		linkAnswer: 'shorturl',
		storeKeyPlace: 'body',
		purchasePlace: 'item',
	},
	/** Whatever else the documents allow */
	hostile: {
		failureStatus: 'http200',
		keyRefused: '200',
		types: 'strings',
		extraMembers: 'some',
		errorMember: 'boolean',
		rateLimited: 'body-200',
		maxLimit: '25',
		listOrder: 'asc',
		pageNumbers: 'echoed',
		pageBeyond: 'error',
		topStatistics: 'integer',
		emptyMaps: 'array',
		aliases: 'per-domain',
		storeKeyPlace: 'header',
		noItems: 'empty',
		clockSkew: -5400,
	},
};

const FIRST_VALUES = CHOICE_NAMES.map((name) => [name, CHOICES[name][0]]);
const DOCUMENTED = { ...Object.fromEntries(FIRST_VALUES), clockSkew: 0 } as Dialect;

/** A preset, or settings that differ from `documented`, as a complete dialect. */
export const dialectOf = (dialect: DialectName | Partial<Dialect>): Dialect => ({
	...DOCUMENTED,
	...(typeof dialect === 'string' ? PRESETS[dialect] : dialect),
});

const EXTRA_MEMBERS = { campaign: null, code: '429', api_version: '7', cursor: null };

/** Members that no document has, if the dialect adds them to its responses. */
export const extraMembers = (dialect: Dialect): Readonly<Record<string, unknown>> =>
	dialect.extraMembers === 'some' ? EXTRA_MEMBERS : {};
