/**
 * What the API documents leave open: one setting for each open point, with the responses that a service may give, the first of
 * them that of the preset `documented`. What a single test needs is no setting: it orders that response with the fault `respond`.
 */
export const CHOICES = {
	/** Both: status when the key is missing, unknown or expired */
	keyRefused: ['401', '403', '200'],
	/** Both: status of a failing request; links200: 200 of links alone */
	failureStatus: ['http4xx', 'links200', 'http200'],
	/** Both: how values are written: integers of links as strings; everywhere also decimals as "29.00" and booleans as 0 and "1" */
	types: ['documented', 'integers', 'strings'],

	/** Links, over the limit: 429 with Retry-After; with the seconds in the body; that with 200 */
	rateLimited: ['retry-after', 'body', 'body-200'],

	/** Links: maximum of limit, to which higher values are lowered; ignored: always 15 */
	maxLimit: ['unlimited', '100', '25', '7', 'ignored'],
	/** Links: newest or oldest first, or by name; links-desc: oldest, but links newest; with order=click, most or fewest clicks first */
	listOrder: ['desc', 'asc', 'name', 'links-desc'],
	/**
	 * Links: numbers of a page. documented: all, nextpage of the last page is itself; last-null: there it is null; beyond-next: that,
	 * one higher behind it, and maxpage 0 for an empty list; echoed: perpage repeats the limit that was sent, and nextpage goes on;
	 * few: currentpage and maxpage alone; of-page: result counts the records of the page, only currentpage beside it
	 */
	pageNumbers: ['documented', 'last-null', 'beyond-next', 'echoed', 'few', 'of-page'],
	/** Links: response to a page beyond the last one */
	pageBeyond: ['empty', 'error', 'first'],
	/** Links: where a link without a domain leads from: the host of the API, or a host of its own */
	mainDomain: ['api', 'other'],
	/** Links: a domain that all accounts may use; listed: every page of the list shows it, too, with id null */
	sharedDomains: ['none', 'listed', 'unlisted'],

	/**
	 * Links, as the document has it; or as installations do: lists and failures have misleading members more; the overlays are
	 * `overlay`, not `cta`; the id stands beside the details of a link, and the date of a QR code under `data`; an empty location is
	 * null, every other empty map []; location leads from a country to { all: address }; a campaign that was written has its name in
	 * `campaign`; pixels have the types of vendors; QR codes get the name that is sent; names, titles, tags and changed long URLs have
	 * ' " < > as entities; metaimage takes jpg and png, for others a success with a message alone, and nothing is written; an update
	 * of a link responds with shorturl, not short; an item is put into its channel only once
	 */
	shapes: ['documented', 'installed'],
	/** Links: topCountries and the like in link details: 0 without traffic, then an object of counts; or the number of labels */
	topStatistics: ['as-documented', 'integer', 'absent'],

	/** Links: what an update of a link does not send stays; or it is emptied, the domain included (sandbox/link/linkFields.ts) */
	linkUpdate: ['merges', 'replaces'],
	/** Links: whether an alias is unique, or unique per domain; ignored: each link gets a random one */
	aliases: ['unique', 'per-domain', 'ignored'],
	/** Links: an alias stays as sent; or blanks and signs in it become one `-`, and its case does not count */
	aliasForm: ['as-sent', 'rewritten'],
	/** Links: a domain that is not the account's; ignored: the link lands on the main one */
	foreignDomain: ['refused', 'ignored'],
	/** Links: response to a create for a long URL that already has a link; existing: that link, unless an alias is sent */
	sameUrl: ['new', 'existing'],

	/** Links: GET /api/urls?short= gives the list all the same; or the details of one link */
	readsShort: ['no', 'yes'],
	/** Links: q searches long URL, alias and title of links */
	readsSearch: ['no', 'yes'],
	/** Links: writing a link reads campaign, channel (create only), pixels, status and description; lists show the first two */
	createReadsPlaces: ['no', 'yes'],
	/** Links: address of a QR code + /download/png/1000 is a PNG; the address itself then is an SVG */
	qrDownloads: ['no', 'yes'],

	/** Store: where api_key is read; body: GETs also from the query; form: GETs from the query, POSTs from form data alone */
	storeKeyPlace: ['any', 'query', 'header', 'body', 'form'],
	/** Store: language of status, msg and license_type */
	storeLanguage: ['english', 'portuguese'],
	/** Store: member that holds a valid purchase */
	purchasePlace: ['data.purchase', 'data', 'purchase', 'item'],
	/** Store: response for an account without items, "No items found" or an empty array; error-below-two: so with one item */
	noItems: ['error', 'empty', 'error-below-two'],
	/**
	 * Store, as the document has it; or as installations do: tags are one text, screenshots an object, social_links null, prices
	 * and balance texts, and dates have microseconds; the case of a purchase code does not count; a refused key is the failure that the
	 * document has for the endpoint; a missing key or parameter, or an item_id that is no number, is a 400 with its name
	 */
	storeShapes: ['documented', 'installed'],
} as const;
