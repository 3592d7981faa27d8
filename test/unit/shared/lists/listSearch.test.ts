import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import type { SearchedList } from '../../../../dist/nodes/shared/lists/listSearch.js';
import { searchOf } from '../../../../dist/nodes/shared/lists/listSearch.js';

/** What a dropdown shows, and what it asks the service for. */

const textOf = (value: unknown): string => String(value);

const LIST: SearchedList = {
	source: { path: '/list', listName: 'x' },
	label: ({ name }) => textOf(name),
};
const NAMED: SearchedList = {
	...LIST,
	keywords: ({ address }) => [address],
	url: ({ address }) => (address === undefined ? undefined : `http://${textOf(address)}`),
};

/** Whether the service refuses every key. */
let refuse = false;

/** The status of a page behind the last one. */
let beyond = 200;

let keys = 0;

/** A dropdown over pages of records, with a key of its own. */
function dropdown(
	list: SearchedList,
	pages: IDataObject[][],
	search = searchOf(linkService, list),
	changes: IDataObject = {},
) {
	const asked: unknown[] = [];
	keys += 1;
	const credential = {
		baseUrl: 'https://a.example',
		apiKey: `key-${keys}`,
		requestsPerMinute: 0,
		...changes,
	};
	const answer = async (_: string, { url, qs: { page, limit } = {} }: IHttpRequestOptions) => {
		asked.push(page ?? url);
		const data = { x: pages[Number(page) - 1] ?? [], perpage: limit, maxpage: pages.length };
		const status = Number(page) > pages.length ? beyond : 200;
		const [statusCode, body] = refuse ? [401, { error: 1 }] : [status, { data }];
		const bytes = Buffer.from(JSON.stringify(body));
		return await Promise.resolve({ statusCode, headers: {}, body: Readable.from([bytes]) });
	};
	const context = {
		getCredentials: async () => await Promise.resolve(credential),
		getNode: () => ({}),
		helpers: { httpRequestWithAuthentication: answer },
	} as unknown as ILoadOptionsFunctions;
	const entries = async (...given: string[]) => await search.call(context, ...given);
	/** The values, and the token of the next page. */
	const shown = async (...given: string[]) => {
		const { results, paginationToken } = await entries(...given);
		return [results.map(({ value }) => value), paginationToken];
	};
	return { asked, entries, shown };
}

/** Where a walk reads on, as n8n hands it on, with its first record and the last one of its last page. */
const tokenOf = (page: number, longest: number, count: number, isExpected = true): string => {
	const place = { page, limit: 100, longest, count, isExpected, isBehindEnd: false };
	return JSON.stringify({ ...place, first: ' 1', last: ` ${count}` });
};

const named = (...names: string[]): IDataObject[] =>
	names.map((name, index) => ({ id: index + 1, name, address: `go/${name}` }));
const many = (count: number, name: string): IDataObject[] =>
	named(...Array<string>(count).fill(name));

test('what was read with one credential is not shown with another one of the same key', async () => {
	const search = searchOf(linkService, NAMED);
	const [ann, bob] = ['Token ann', 'Token bob'].map((extraHeaderValue) =>
		dropdown(NAMED, [named(extraHeaderValue)], search, {
			apiKey: 'one',
			extraHeaderName: 'Authorization',
			extraHeaderValue,
		}),
	);
	await ann?.entries();
	const { results = [] } = (await bob?.entries('token')) ?? {};
	expect(results.map(({ name }) => name)).toEqual(['Token bob']);
});

test.each([
	['spr', [1, 3, 4]],
	[' SPRING ', [1, 3, 4]],
	['go/spring', [1, 3, 4]],
	['go/s', [1, 2, 3, 4]],
	['WA\u0308Y', [5]],
	['4', [4, 5]],
	['undef', []],
	['', [1, 2, 3, 4, 5, 6]],
])('typed %j finds %j', async (filter, values) => {
	const records = named('Spring sale', 'Sale', 'Spring', 'spring 2', 'Wäy 4');
	expect((await dropdown(NAMED, [[...records, { id: 6, name: 'x' }]]).shown(filter))[0]).toEqual(
		values,
	);
});

test('an entry has a label, a value, and a page to open if there is one; what has no value is none', async () => {
	const records = [{ id: 1, name: 'a', address: 'go/a' }, { id: 2, name: 'b' }, { name: 'c' }];
	expect((await dropdown(NAMED, [records]).entries()).results).toStrictEqual([
		{ name: 'a', value: 1, url: 'http://go/a' },
		{ name: 'b', value: 2 },
	]);
	const signs = await dropdown(NAMED, [named('=1+1', 'a=', '=')]).entries();
	expect(signs.results.map(({ name }) => name)).toEqual([' =1+1', 'a=', ' =']);
	const source = async () => await Promise.resolve(records);
	const byName = dropdown({ ...LIST, source, value: ({ name }) => textOf(name) }, []);
	expect(await byName.shown('C')).toEqual([['c'], undefined]);
});

test('without a filter each page is read when it is scrolled to, and once more when the list is opened again', async () => {
	const { asked, shown } = dropdown(LIST, [named('a', 'b'), [{ id: 3, name: 'c' }]]);
	const token = tokenOf(2, 2, 2, false);
	expect([await shown(), await shown(''), await shown(' ', token)]).toEqual([
		[[1, 2], token],
		[[1, 2], token],
		[[3], undefined],
	]);
	expect(asked).toEqual([1, 1, 2]);
});

test('a page that repeats the first or the last one is not shown again, and ends the list', async () => {
	const first = named('a', 'b');
	const second = [3, 4].map((id) => ({ id, name: 'c' }));
	for (const repeated of [first, second]) {
		const { shown } = dropdown(LIST, [first, second, repeated, repeated]);
		const scroll = async (token: unknown) => await shown('', String(token));
		const [, two] = await shown();
		const [, three] = await scroll(two);
		expect(await scroll(three)).toEqual([[], undefined]);
	}
});

test('a page that is empty once is read again, and not kept', async () => {
	const pages = [many(100, 'x')];
	const { asked, shown } = dropdown(LIST, pages);
	Object.defineProperty(pages, 1, {
		get: () => (asked.length < 3 ? [] : [{ id: 120, name: 'x' }]),
	});
	const [, token] = await shown();
	expect([token, await shown('', String(token))]).toEqual([
		tokenOf(2, 100, 100),
		[[120], undefined],
	]);
	expect(asked).toEqual([1, 2, 2]);
});

test('behind a full last page, a failing service has no more records', async () => {
	const { asked, shown } = dropdown(LIST, [many(100, 'x')]);
	beyond = 500;
	const [, token] = await shown();
	expect(await shown('', String(token))).toEqual([[], undefined]);
	beyond = 200;
	expect(asked).toEqual([1, 2]);
});

test('an empty list is requested anew', async () => {
	const pages: IDataObject[][] = [[]];
	const { asked, shown } = dropdown(LIST, pages);
	expect(await shown('a')).toEqual([[], undefined]);
	pages[0] = named('a');
	expect(await shown('a')).toEqual([[1], undefined]);
	expect(asked).toEqual([1, 1]);
});

test('a search in a list without pages shows all that it finds', async () => {
	const records = many(120, 'a');
	const all = dropdown({ ...LIST, source: async () => await Promise.resolve(records) }, []);
	const [values, token] = await all.shown('a');
	expect([values, token]).toEqual([records.map(({ id }) => id), undefined]);
});

test('a search shows what it found before a page that cannot be read; scrolling there says why', async () => {
	const notAList = 'x' as unknown as IDataObject[];
	const { shown } = dropdown(LIST, [[{ id: 1, name: 'a' }, ...many(100, 'b').slice(1)], notAList]);
	const token = tokenOf(2, 100, 100);
	expect(await shown('a')).toEqual([[1], token]);
	await expect(shown('a', token)).rejects.toMatchObject({ message: 'The response has no "x"' });
});

test('a filter has pages read until the dropdown is full, or 25 of them', async () => {
	const onPages = (...sizes: number[]) => {
		let id = 0;
		return sizes.map((size) => many(size, 'a').map((record) => ({ ...record, id: (id += 1) })));
	};
	const full = dropdown(LIST, onPages(49, 1, 1));
	expect((await full.shown('a'))[1]).toBe(tokenOf(3, 49, 50, false));
	expect(await full.shown('a', tokenOf(3, 49, 50, false))).toEqual([[51], undefined]);
	const long = dropdown(LIST, onPages(...Array<number>(60).fill(1)));
	expect(await long.shown('b')).toEqual([[], tokenOf(26, 1, 25, false)]);
	expect(await long.shown('b', tokenOf(26, 1, 25, false))).toEqual([[], tokenOf(51, 1, 50, false)]);
	expect(long.asked).toHaveLength(50);
});

test('pages are kept for 20 seconds for what is typed on', async () => {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(50_000);
	const { asked, shown } = dropdown(LIST, [named('a')]);
	for (const now of [50_000, 69_999, 70_000]) {
		clock.mockReturnValue(now);
		await shown('a');
	}
	await dropdown(LIST, [named('a')]).shown('a');
	clock.mockRestore();
	expect(asked).toEqual([1, 1]);
});

test('a refused key is said', async () => {
	refuse = true;
	await expect(dropdown(NAMED, []).shown('9')).rejects.toMatchObject({
		message: 'The service refused the API key',
		description: expect.stringMatching(/^Check the API key in the credential/) as unknown,
	});
	refuse = false;
});
