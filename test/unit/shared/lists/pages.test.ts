import type { IDataObject } from 'n8n-workflow';

import type { ServiceResponse } from '../../../../dist/nodes/shared/http/exchange.js';
import {
	EMPTY_PAGE,
	pageIn,
	pagesOf,
	recordKey,
	requestFirstPage,
	requestOrEmpty,
} from '../../../../dist/nodes/shared/lists/pages.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';

const LIST = { path: '/api/urls', listName: 'urls', query: { order: 'date' } };

test('a page is read with its envelope under `data` or at the top, numbers as strings', () => {
	const urls = [{ id: 1 }];
	const counts = { result: '31', perpage: '15', maxpage: '3', currentpage: '3' };
	const page = { records: urls, result: 31, perPage: 15, maxPage: 3, currentPage: 3 };
	expect(pageIn({ data: { ...counts, urls } }, 'urls')).toEqual(page);
	expect(pageIn({ ...counts, urls }, 'urls')).toEqual(page);
	expect(() => pageIn({ data: {} }, 'urls')).toThrow('The response has no "urls"');
});

test.each([
	{ data: { result: 0, urls: null } },
	{ data: { result: '0', maxpage: 0 } },
	{ data: { result: 0, urls: {} } },
	{ result: 0, urls: '' },
])('%j is an empty list', (body) => {
	expect(pageIn(body as IDataObject, 'urls')).toMatchObject({ records: [], result: 0 });
});

test('an empty array in place of the envelope is an empty list, and counts nothing', () => {
	expect(pageIn({ error: 0, data: [] }, 'urls')).toEqual(EMPTY_PAGE);
});

test.each([
	{ data: { urls: null } },
	{ data: { result: 3, urls: null } },
	{ data: null },
	{ data: {} },
	{ data: [{ id: 1 }] },
])('%j is no list', (body) => {
	expect(() => pageIn(body as IDataObject, 'urls')).toThrow('The response has no "urls"');
});

test('records are identified by type and ID, or by all their members', () => {
	const records = [{ id: 1, type: 'links' }, { id: 1 }, { id: 'x' }, { name: 'a' }];
	expect(records.map((record) => recordKey(record))).toEqual([
		'links 1',
		' 1',
		'{"id":"x"}',
		'{"name":"a"}',
	]);
});

type Refusal = Partial<Pick<Failure, 'kind' | 'httpCode'>>;

/** A service that refuses a limit above `accepts`, and what it was asked for. */
function service(accepts: number, failure: Refusal = {}) {
	const asked: unknown[] = [];
	const requestPage = pagesOf(LIST, async ({ method, query, once }) => {
		const limit = Number(query?.limit ?? 0);
		asked.push(once ? `${limit} once` : limit);
		const refusal = { kind: 'refused', httpCode: 422, message: `No ${limit}` } as const;
		if (limit > accepts || method !== 'GET' || query?.order !== 'date')
			throw new Failure({ ...refusal, ...failure } as typeof refusal);
		return await Promise.resolve({ body: { urls: [{ id: 1 }] } } as unknown as ServiceResponse);
	});
	return { requestPage, asked };
}

test.each([
	[100, 100, [100]],
	[60, 100, [100, '50 once']],
	[25, 100, [100, '50 once', '25 once']],
	[10, 50, [50, '25 once', '10 once']],
	[9, 100, [100, '50 once', '25 once', '10 once', '0 once']],
	[9, 10, [10, '0 once']],
	[9, 7, [7]],
])('a service that takes up to %i, asked for %i, gets %j', async (accepts, wanted, asked) => {
	const list = service(accepts);
	const { page, limit } = await requestFirstPage(list.requestPage, wanted);
	expect(page.records).toEqual([{ id: 1 }]);
	expect(list.asked).toEqual(asked);
	expect(limit).toBe(Number.parseInt(String(asked.at(-1)), 10));
});

test.each<[Refusal, limits: number, accepted: number]>([
	[{ httpCode: 499 }, 2, 50],
	[{ httpCode: 200 }, 2, 50],
	[{ kind: 'serverError', httpCode: 500 }, 2, 100],
	[{ kind: 'unavailable', httpCode: 504 }, 2, 100],
	[{ kind: 'noResponse' }, 2, 100],
])('after %j, %i limits are tried, and up to %i is accepted', async (failure, limits, largest) => {
	const list = service(50, failure);
	const accepted = { limit: 100 };
	await requestFirstPage(list.requestPage, 100, accepted);
	expect(list.asked).toHaveLength(limits);
	expect(accepted).toEqual({ limit: largest });
	list.asked.length = 0;
	await requestFirstPage(list.requestPage, 100, accepted);
	expect(list.asked[0]).toBe(largest);
});

test.each<Refusal>([
	{ kind: 'missing', httpCode: 404 },
	{ kind: 'unreachable' },
	{ kind: 'unauthorized' },
	{ kind: 'rateLimited' },
])('%j is not about the limit', async (failure) => {
	const list = service(50, failure);
	await expect(requestFirstPage(list.requestPage, 100)).rejects.toThrow('No 100');
	expect(list.asked).toEqual([100]);
});

test('a limit that was refused after an outage is accepted later, and one that is not refused lowers nothing', async () => {
	const down = new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' });
	const refused = new Failure({ kind: 'refused', httpCode: 422, message: 'No' });
	const page = { body: { urls: [] } } as unknown as ServiceResponse;
	const mixed = pagesOf(LIST, async ({ query }) => {
		if (query?.limit === 100) throw down;
		if (query?.limit === 50) throw refused;
		return await Promise.resolve(page);
	});
	const accepted = { limit: Infinity };
	expect((await requestFirstPage(mixed, 100, accepted)).limit).toBe(25);
	expect(accepted.limit).toBe(Infinity);
	expect((await requestFirstPage(mixed, 20, accepted)).limit).toBe(20);
	expect(accepted.limit).toBe(Infinity);
});

test('a request for a page is repeated unless it should be sent once', async () => {
	const sent: unknown[] = [];
	const requestPage = pagesOf(LIST, async ({ once }) => {
		sent.push(once);
		return await Promise.resolve({ body: { urls: [] } } as unknown as ServiceResponse);
	});
	await requestPage(1, 100);
	await requestPage(1, 100, true);
	expect(sent).toEqual([false, true]);
});

test('if every limit fails, the first failure is the error; if the time is up, too', async () => {
	const none = service(-1);
	await expect(requestFirstPage(none.requestPage, 100)).rejects.toThrow('No 100');
	expect(none.asked).toHaveLength(5);
	const late = new Failure({ kind: 'outOfTime', message: 'Late' });
	const refused = new Failure({ kind: 'refused', httpCode: 422, message: 'No' });
	const requestPage = pagesOf(LIST, async ({ query }) => {
		return await Promise.reject(query?.limit === 100 ? refused : late);
	});
	await expect(requestFirstPage(requestPage, 100)).rejects.toThrow('No');
	await expect(requestFirstPage(requestPage, 50)).rejects.toThrow('Late');
	const keyRefused = new Failure({ kind: 'unauthorized', httpCode: 401, message: 'Key' });
	const last = pagesOf(LIST, async ({ query }) => {
		return await Promise.reject(query?.limit === 100 ? refused : keyRefused);
	});
	await expect(requestFirstPage(last, 100)).rejects.toThrow('Key');
	const third = pagesOf(LIST, async ({ query }) => {
		return await Promise.reject(Number(query?.limit) >= 50 ? refused : keyRefused);
	});
	await expect(requestFirstPage(third, 100)).rejects.toThrow('Key');
});

test.each<[string, Refusal, number, Parameters<typeof requestOrEmpty>[3], boolean]>([
	['refused', {}, 2, { isPromised: false }, true],
	['refused, and the first', {}, 1, { isPromised: false }, false],
	['refused, and counted', {}, 2, { isPromised: true }, false],
	['down', { kind: 'unavailable', httpCode: 503 }, 2, { isPromised: false }, false],
	['failing', { kind: 'serverError', httpCode: 500 }, 2, { isPromised: false }, false],
	[
		'failing behind the last',
		{ kind: 'serverError' },
		2,
		{ isPromised: false, isBehindEnd: true },
		true,
	],
	[
		'down behind the last',
		{ kind: 'unavailable' },
		2,
		{ isPromised: false, isBehindEnd: true },
		false,
	],
])(
	'a page that is %s counts as empty or fails',
	async (_what, refusal, page, standing, isEmpty) => {
		const { requestPage } = service(-1, refusal);
		const requested = requestOrEmpty(requestPage, page, 100, standing);
		if (isEmpty) expect(await requested).toMatchObject({ records: [] });
		else await expect(requested).rejects.toThrow('No 100');
	},
);
