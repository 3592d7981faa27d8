import type { IDataObject } from 'n8n-workflow';
import type { HttpResponse } from '../../dist/nodes/shared/http/exchange.js';
import type { FailureKind } from '../../dist/nodes/shared/values/failure.js';
import type { ChoiceName } from '../dialects.ts';

/** The responses of a check, by what was asked for. */
export type Seen = Record<string, HttpResponse & { kind: FailureKind | undefined }>;

export type ShownSetting = ChoiceName | 'clockSkew';

interface Shown {
	service: 'link' | 'store' | 'both';
	/** The values that fit the responses; none if they do not show the setting. */
	read: (seen: Seen) => readonly string[];
	/** What the nodes do about it. */
	nodes: string;
}

/** The lists at `/api/<name>` that are read beside the one of links, under that name. */
export const LISTS = ['overlay', 'campaigns', 'channels', 'domains', 'splash', 'pixels', 'qr'];

/** The settings that GETs show, how they are read, and what the nodes do about each. */
export const SHOWN: Partial<Record<ShownSetting, Shown>> = {
	failureStatus: {
		service: 'link',
		read: ({ unknown }) => (unknown ? [failureStatus(unknown)] : []),
		nodes: 'read a failure from the body, whatever the status; a web page is an error of its own',
	},
	keyRefused: {
		service: 'both',
		read: ({ wrongKey }) => (wrongKey ? [String(wrongKey.statusCode)] : []),
		nodes: 'end the run and give advice about the key; after a 403 the account is read once',
	},
	keyWords: {
		service: 'link',
		read: ({ wrongKey }) => {
			if (!wrongKey) return [];
			const { message } = bodyOf(wrongKey);
			if (message === 'A valid API key is required to use this service.') return ['seen'];
			return [message === 'Access denied.' ? 'vague' : 'plain'];
		},
		nodes: 'compare the whole message with a table of known ones',
	},
	botCheck: {
		service: 'link',
		read: ({ account }) =>
			account && !account.kind ? ['none'] : isPage(account) ? ['cookie'] : [],
		nodes: 'fail, and name Extra Header in the credential',
	},
	apiAccess: {
		service: 'link',
		read: ({ account }) => {
			if (account?.kind === 'noAccess') return ['no-permission', 'not-activated', 'disabled'];
			return account && !account.kind ? ['allowed'] : [];
		},
		nodes: 'end the run and give advice about the account',
	},
	keyScheme: {
		service: 'link',
		read: (seen) => whetherKeyWorks(seen, 'bearer', 'token'),
		nodes: 'send Bearer; an Extra Header named Authorization replaces it',
	},
	keyHeader: {
		service: 'link',
		read: (seen) => whetherKeyWorks(seen, 'kept', 'removed'),
		nodes: 'fail, and name the web server that may remove the header',
	},
	unknownRecord: {
		service: 'link',
		read: ({ unknown }) => {
			if (unknown?.statusCode === 403) return ['403'];
			return unknown && failureStatus(unknown) === 'http4xx' ? ['404'] : ['404', '403'];
		},
		nodes: 'take it for a failure of its row alone',
	},
	contentType: {
		service: 'both',
		read: ({ account }) => {
			const type = textOf(account?.headers['content-type']);
			return ['json', 'javascript'].filter((name) => type.startsWith(`application/${name}`));
		},
		nodes: 'parse JSON whatever its type is called',
	},
	errorMember: { service: 'link', read: errorMember, nodes: 'read each of these forms' },
	resetFormat: {
		service: 'link',
		read: ({ account }) => {
			const reset = textOf(account?.headers['x-ratelimit-reset']);
			if (/^\d{13}$/.test(reset)) return ['epoch-milliseconds'];
			if (/^\d{10}$/.test(reset)) return ['epoch-seconds'];
			if (/^\d+$/.test(reset)) return ['seconds-left'];
			if (/^\d{4}-\d\d-\d\dT/.test(reset)) return ['iso'];
			return /^\d{4}-\d\d-\d\d /.test(reset) ? ['datetime'] : [];
		},
		nodes: 'wait until then when the limit is used up',
	},
	maxLimit: {
		service: 'link',
		read: ({ links }) => {
			if (links?.kind) return ['refused-above-50'];
			const size = Number(dataOf(links).perpage);
			if (size >= 100) return ['unlimited', '100'];
			return size === 25 ? ['25'] : size === 15 ? ['ignored'] : [];
		},
		nodes: 'believe the page, and try a smaller limit where one is refused',
	},
	listOrder: {
		service: 'link',
		read: (seen) => {
			const [first, second] = linksIn(seen);
			if (!first || !second) return [];
			return [Number(first.id) > Number(second.id) ? 'desc' : 'asc'];
		},
		nodes: 'find new records at either end',
	},
	nextPage: {
		service: 'link',
		read: ({ last }) => {
			const { nextpage, maxpage } = dataOf(last);
			if (nextpage === null) return ['null'];
			if (nextpage === undefined) return [];
			if (Number(nextpage) === 0) return ['zero'];
			return [Number(nextpage) > Number(maxpage) ? 'plus-one' : 'same'];
		},
		nodes: 'end with the list',
	},
	integers: {
		service: 'link',
		read: (seen) =>
			linksIn(seen)
				.slice(0, 1)
				.map(({ id }) => typeof id),
		nodes: 'output the documented integers as numbers',
	},
	pageBeyond: {
		service: 'link',
		read: ({ beyond }) => {
			if (!beyond) return [];
			if (beyond.kind) return ['error'];
			const { urls, currentpage, maxpage } = dataOf(beyond);
			if (!Array.isArray(urls) || urls.length === 0) return ['empty'];
			if (Number(maxpage) === 1) return ['last', 'first'];
			return [Number(currentpage) === 1 ? 'first' : 'last'];
		},
		nodes: 'take it for the end of the list',
	},
	perPage: {
		service: 'link',
		read: (seen) => {
			const { perpage, maxpage, urls } = dataOf(listOf(seen));
			if (!Array.isArray(urls)) return [];
			if (perpage === undefined) return ['missing'];
			if (Number(perpage) !== 100) return ['right'];
			return urls.length < 100 && Number(maxpage) > 1 ? ['echoed'] : ['right', 'echoed'];
		},
		nodes: 'count the records of a page where it contradicts them',
	},
	result: {
		service: 'link',
		read: (seen) => {
			const { result, maxpage } = dataOf(listOf(seen));
			const count = linksIn(seen).length;
			if (result === undefined) return [];
			if (Number(result) > count) return ['list'];
			return Number(maxpage ?? 1) > 1 ? ['page'] : ['list', 'page'];
		},
		nodes: 'use it only if the list can have so many records',
	},
	pageCounts: {
		service: 'link',
		read: (seen) => {
			const { result, maxpage, urls } = dataOf(seen.last);
			if (!Array.isArray(urls)) return [];
			const total = (Number(maxpage) - 1) * linksIn(seen).length + urls.length;
			const isOfPage = Number(result) === urls.length;
			return Number(result) < total && !isOfPage ? ['cached'] : ['current', 'cached'];
		},
		nodes: 'read on while pages are full',
	},
	listsBy: {
		service: 'link',
		read: (seen) => {
			const lists = LISTS.map((name) => recordsOf(seen[name]));
			if (lists.every(({ length }) => length < 2)) return [];
			return Object.entries(ORDERS)
				.filter(([, isOrder]) => lists.every(isOrder))
				.map(([order]) => order);
		},
		nodes:
			'read a list whole while it is short; a trigger fails where a new record could be missed',
	},
	pageNumbers: {
		service: 'link',
		read: (seen) => {
			const data = dataOf(listOf(seen));
			if (!Array.isArray(data.urls)) return [];
			const [hasMax, hasNext] = ['maxpage' in data, 'nextpage' in data];
			if (hasMax) return [hasNext ? 'both' : 'no-nextpage'];
			return [hasNext ? 'no-maxpage' : 'none'];
		},
		nodes: 'read on until a page is not full',
	},
	largePages: {
		service: 'link',
		read: ({ links }) => {
			if (!links) return [];
			return [links.statusCode < 500 ? 'served' : links.statusCode === 504 ? 'http504' : 'http500'];
		},
		nodes: 'try smaller pages where a large one fails',
	},
	topStatistics: {
		service: 'link',
		read: ({ quiet, visited }) => {
			const [none, some] = [quiet, visited].map((link) => dataOf(link).topCountries);
			if (Array.isArray(none)) return ['array'];
			if (typeof none === 'object') return ['object'];
			if (some === undefined) return none === undefined ? [] : ['as-documented', 'integer'];
			return [typeof some === 'object' ? 'as-documented' : 'integer'];
		},
		nodes: 'output a map of numbers',
	},
	emptyMaps: {
		service: 'link',
		read: ({ quiet, visited }) =>
			[quiet, visited]
				.map((link) => (bodyOf(link).details as IDataObject | undefined)?.location)
				.filter((map) => typeof map === 'object' && map !== null && Object.keys(map).length === 0)
				.slice(0, 1)
				.map((map) => (Array.isArray(map) ? 'array' : 'object')),
		nodes: 'output {}',
	},
	campaignName: {
		service: 'link',
		read: ({ campaigns }) => {
			const records = (dataOf(campaigns).campaigns ?? []) as IDataObject[];
			const named = records.filter((campaign) => 'name' in campaign).length;
			if (named * 2 === records.length) return [];
			return [named * 2 > records.length ? 'as-documented' : 'swapped'];
		},
		nodes: 'output the name under name',
	},
	messages: {
		service: 'link',
		read: ({ unknown }) => {
			const { message } = bodyOf(unknown);
			if (typeof message !== 'string') return [];
			return [/unauthori|too many requests/i.test(message) ? 'misleading' : 'plain'];
		},
		nodes: 'decide by whole messages only',
	},
	extraMembers: {
		service: 'link',
		read: (seen) => {
			if (linksIn(seen).length === 0) return [];
			const extra = Object.keys(dataOf(listOf(seen))).filter((name) => !PAGING.includes(name));
			if (extra.length === 0) return ['none'];
			return [extra.join() === 'campaign' ? 'campaign' : 'some'];
		},
		nodes: 'ignore them',
	},
	storeKeyPlace: {
		service: 'store',
		read: ({ account, header }) => {
			if (account?.kind) return header?.kind ? [] : ['header'];
			return header?.kind ? ['query', 'body', 'form', 'any'] : ['any'];
		},
		nodes: 'send the key where Send API Key In says',
	},
	storeKeyWords: {
		service: 'store',
		read: ({ wrongKey }) => {
			if (!wrongKey) return [];
			return [bodyOf(wrongKey).msg === 'Invalid request' ? 'endpoint' : 'own'];
		},
		nodes: 'prove the key before they believe that a code is invalid, or that there are no items',
	},
	types: {
		service: 'store',
		read: ({ account, header }) => {
			const read = [account, header].find((each) => each && !each.kind);
			if (!read) return [];
			return [typeof dataOf(read).balance === 'string' ? 'strings' : 'documented'];
		},
		nodes: 'output decimals as numbers, and booleans as true or false',
	},
	underscoreHeaders: {
		service: 'store',
		read: ({ header }) => (header?.kind ? ['kept', 'dropped'] : ['kept']),
		nodes: 'send it as Header Name says, if it goes into a header',
	},
	noItems: {
		service: 'store',
		read: ({ items }) => {
			if (bodyOf(items).msg === 'No items found') return ['error'];
			const list = bodyOf(items).items;
			return Array.isArray(list) && list.length === 0 ? ['empty'] : [];
		},
		nodes: 'output an empty list',
	},
	clockSkew: {
		service: 'both',
		read: ({ account }) => {
			// The header has whole seconds, cut off.
			const date = Date.parse(textOf(account?.headers.date));
			return Number.isNaN(date) ? [] : [String(Math.ceil((date - Date.now()) / 1000))];
		},
		nodes: 'count by the clock of the service',
	},
};

/** A text or a number, as text. */
export const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const PAGING = ['result', 'perpage', 'currentpage', 'nextpage', 'maxpage', 'urls'];

const bodyOf = (response: HttpResponse | undefined): IDataObject => {
	const body = response?.body;
	return typeof body === 'object' && body !== null ? (body as IDataObject) : {};
};

const dataOf = (response: HttpResponse | undefined): IDataObject =>
	(bodyOf(response).data ?? {}) as IDataObject;

/** The first page of links that was understood. */
const listOf = ({ links, smaller }: Seen): HttpResponse | undefined =>
	links?.kind ? smaller : links;

const recordsOf = (response: HttpResponse | undefined): IDataObject[] =>
	(Object.values(dataOf(response)).find(Array.isArray) ?? []) as IDataObject[];

const isRun = (records: IDataObject[]): boolean => {
	const rises = records.slice(1).map(({ id }, at) => Number(id) > Number(records[at]?.id));
	return new Set(rises).size < 2;
};

/** Whether the records of a list are in that order. */
const ORDERS: Record<string, (records: IDataObject[]) => boolean> = {
	creation: isRun,
	name: (records) => {
		const names = records.map(({ name, domain }) => textOf(name ?? domain));
		return names.every(
			(name, at) => at === 0 || name.localeCompare(names[at - 1] ?? '', 'en') >= 0,
		);
	},
	starred: (records) => {
		const [stars, others] = [1, 0].map((is) =>
			records.filter(({ starred }) => Number(starred ?? 0) === is),
		);
		return (
			[stars, others].every((group = []) => isRun(group)) &&
			records.slice(0, stars?.length).every(({ starred }) => Number(starred ?? 0) === 1)
		);
	},
};

const linksIn = (seen: Seen): IDataObject[] => (dataOf(listOf(seen)).urls ?? []) as IDataObject[];

const isPage = (response: HttpResponse | undefined): boolean =>
	typeof response?.body === 'string' && response.body.trimStart().startsWith('<');

function failureStatus(response: HttpResponse): string {
	if (isPage(response)) return 'html';
	return response.statusCode === 200 ? 'http200' : 'http4xx';
}

function whetherKeyWorks({ account }: Seen, works: string, fails: string): string[] {
	if (account?.kind === 'unauthorized') return [works, fails];
	return account && !account.kind ? [works] : [];
}

function errorMember({ account, overlay, ...seen }: Seen): string[] {
	if (!account || account.kind || !overlay || overlay.kind) return [];
	const [own, list, bare] = [account, listOf(seen), overlay].map(
		(response) => bodyOf(response).error,
	);
	if (own === undefined) return ['absent'];
	if (bare === undefined) return list === '0' ? ['as-documented'] : [];
	return [typeof own];
}
