import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CHOICES } from '../../../sandbox/dialects.ts';
import type { LoopbackServer } from '../../loopback.ts';
import { serve } from '../../loopback.ts';
import type { StageResult } from '../support.ts';
import { Stage, byId, inEveryDialect, largestPage, onStage } from '../support.ts';

const ids = ({ json }: StageResult): unknown[] => json.map(({ id }) => id);

/** So many links of the stage's account: their ids in the order of the service. */
async function linkIds(stage: Stage, count: number): Promise<number[]> {
	stage.sandbox.links.addLinks(stage.linkAccount.id, count);
	const { data } = await stage.api('GET /api/urls?limit=1');
	const [record] = (data as { urls: Array<{ id: unknown }> }).urls;
	const step = stage.dialect.listOrder === 'desc' ? -1 : 1;
	return Array.from({ length: count }, (_, index) => Number(record?.id) + index * step);
}

const list = async (stage: Stage, parameters: INodeParameters, credential: IDataObject = {}) =>
	await stage.link('link.getAll', parameters, { credential });

inEveryDialect((stage) => {
	const cap = largestPage(stage.dialect);
	/** Requests for so many records of a list that has more, or exactly as many, of them. */
	const requestsFor = (records: number, asked: number) => Math.ceil(records / Math.min(asked, cap));

	test.each([undefined, 1, 25, 99, 100, 101, 205])(
		'a limit of %p gives that many records, each once, and fetches no page too many',
		async (entered) => {
			const limit = entered ?? 50;
			const all = await linkIds(stage, 210);
			const result = await list(stage, entered === undefined ? {} : { limit });
			const asked = Math.min(limit, 100);
			expect(ids(result)).toEqual(all.slice(0, limit));
			expect(result.requests).toHaveLength(requestsFor(limit, asked));
			expect(new Set(result.requests.map(({ query }) => query.limit))).toEqual(
				new Set([String(asked)]),
			);
		},
	);

	test('Return All gives every record once, and one page more only if the service promises it', async () => {
		// A multiple of every page that a dialect has.
		const all = await linkIds(stage, 300);
		const result = await list(stage, { returnAll: true });
		expect(ids(result)).toEqual(all);
		const promised = stage.dialect.nextPage === 'plus-one' ? 1 : 0;
		expect(result.requests.map(({ query }) => query.page)).toEqual(
			Array.from({ length: requestsFor(300, 100) + promised }, (_, index) => String(index + 1)),
		);
	});

	test.each([true, false])('an empty list gives no items in one request: %p', async (returnAll) => {
		const result = await list(stage, { returnAll });
		expect(result.error).toBeUndefined();
		expect(result.json).toEqual([]);
		expect(result.requests).toHaveLength(1);
	});

	test.each([{ limit: '={{ "1000" }}' }, { returnAll: '={{ "true" }}' }])(
		'more than the records there are, given as text as an AI agent does, works: %j',
		async (parameters) => {
			const all = await linkIds(stage, 3);
			const result = await list(stage, parameters);
			expect(ids(result)).toEqual(all);
			expect(result.requests).toHaveLength(1);
		},
	);

	test('the items of a channel come in pages too', async () => {
		const channel = await stage.make('/api/channel/add', { name: 'All' });
		const all = await linkIds(stage, 110);
		for (const id of all) await stage.api(`POST /api/channel/${channel}/assign/links/${id}`);
		const result = await stage.link('channel.getItems', {
			channelId: byId(channel),
			returnAll: true,
		});
		expect(new Set(ids(result))).toEqual(new Set(all));
		expect(ids(result)).toHaveLength(all.length);
		expect(result.requests).toHaveLength(requestsFor(110, 100));
	});
});

describe.each(CHOICES.nextPage.values)('where nextpage of the last page is %s', (nextPage) => {
	describe.each(CHOICES.pageBeyond.values)('and a page beyond gives %s', (pageBeyond) => {
		const stage = onStage(new Stage({ nextPage, pageBeyond, maxLimit: '25', integers: 'string' }));

		test.each([0, 1, 24, 25, 26, 50])('all of %i records come, each once', async (count) => {
			const all = count === 0 ? [] : await linkIds(stage, count);
			const result = await list(stage, { returnAll: true });
			expect(result.error).toBeUndefined();
			expect(ids(result)).toEqual(all);
			const isPromised = count > 0 && count % 25 === 0 && nextPage === 'plus-one';
			expect(result.requests).toHaveLength(
				Math.max(1, Math.ceil(count / 25)) + (isPromised ? 1 : 0),
			);
		});
	});
});

describe('behind a service that answers oddly', () => {
	const stage = onStage(new Stage({ maxLimit: '25' }));
	let change: (envelope: IDataObject, page: number) => IDataObject | Promise<IDataObject>;
	let server: LoopbackServer;
	let asked: number[];

	/** Passes every request on to the sandbox, and changes the envelope of its lists on the way back. */
	beforeAll(async () => {
		server = await serve((request, response) => {
			void (async () => {
				const url = new URL(request.url ?? '/', stage.sandbox.linkUrl);
				const page = Number(url.searchParams.get('page'));
				asked.push(page);
				const { authorization = '' } = request.headers;
				const answer = await fetch(url, { headers: { authorization } });
				const body = (await answer.json()) as { error: string; data: IDataObject };
				const data = await change(body.data, page);
				response.writeHead(answer.status, { 'Content-Type': 'application/json' });
				response.end(JSON.stringify({ ...body, data, server: 'one of tomorrow' }));
			})();
		});
	});
	afterAll(async () => {
		await server.stop();
	});
	beforeEach(() => {
		asked = [];
	});

	const listThrough = async (parameters: INodeParameters) =>
		await list(stage, parameters, { baseUrl: server.url });

	test('a limit counts a link once that new ones push to the next page', async () => {
		const all = await linkIds(stage, 60);
		change = (envelope, page) => {
			if (page === 1) stage.sandbox.links.addLinks(stage.linkAccount.id, 10, 0);
			return envelope;
		};
		expect(ids(await listThrough({ limit: 50 }))).toEqual(all.slice(0, 50));
		expect(asked).toEqual([1, 2, 3]);
	});

	test('links that are deleted while the list is read bring no error and no link twice', async () => {
		const all = await linkIds(stage, 60);
		const deleted = [...all.slice(0, 5), ...all.slice(50, 55)];
		change = async (envelope, page) => {
			if (page === 1) for (const id of deleted) await stage.api(`DELETE /api/url/${id}/delete`);
			return envelope;
		};
		// Five move up to the page that was read already.
		expect(ids(await listThrough({ returnAll: true }))).toEqual([
			...all.slice(0, 25),
			...all.slice(30, 50),
			...all.slice(55),
		]);
	});

	test('a service that ignores the page it is asked for is an error, not a shorter list', async () => {
		await linkIds(stage, 60);
		let first: IDataObject = {};
		change = (envelope, page) => {
			if (page === 1) first = { ...envelope, maxpage: 1000 };
			return { ...first, nextpage: page + 1 };
		};
		const { error } = await listThrough({ returnAll: true });
		expect(error?.message).toBe(
			'The list cannot be read to its end: page 3 holds nothing that was not on the pages before',
		);
		expect(asked).toEqual([1, 2, 3]);
	});

	test('without maxpage and nextpage a full page leads on and a short one ends', async () => {
		const all = await linkIds(stage, 60);
		change = ({ maxpage: _maxpage, nextpage: _nextpage, ...envelope }) => envelope;
		expect(ids(await listThrough({ returnAll: true }))).toEqual(all);
		expect(asked).toEqual([1, 2, 3]);
	});

	test('a whole page of new links in front does not end the list early', async () => {
		const all = await linkIds(stage, 60);
		change = (envelope, page) => {
			if (page === 1) stage.sandbox.links.addLinks(stage.linkAccount.id, 25, 0);
			return envelope;
		};
		expect(ids(await listThrough({ returnAll: true }))).toEqual(all);
	});

	test('a failure in the middle of a list is a failure, not its end', async () => {
		await linkIds(stage, 60);
		change = (envelope) => {
			stage.sandbox.expireKey('link', stage.linkAccount.id);
			return envelope;
		};
		const { error, json } = await listThrough({ returnAll: true });
		expect(error?.message).toBe('The API key has expired.');
		expect(json).toEqual([]);
	});

	test.each([
		['low is overruled by a full page whose nextpage leads on', 60, 1, [1, 2, 3]],
		['high costs one request', 50, 99, [1, 2, 3]],
	])('a maxpage that lies %s', async (_how, count, maxpage, pages) => {
		const all = await linkIds(stage, count);
		change = (envelope) => ({ ...envelope, maxpage });
		expect(ids(await listThrough({ returnAll: true }))).toEqual(all);
		expect(asked).toEqual(pages);
	});

	test('a maxpage that lies high, with the last page again and again, costs two', async () => {
		const all = await linkIds(stage, 50);
		let last: IDataObject = {};
		change = (envelope, page) => {
			if (page === 2) last = envelope;
			return { ...(page > 2 ? last : envelope), maxpage: 99 };
		};
		expect(ids(await listThrough({ returnAll: true }))).toEqual(all);
		expect(asked).toEqual([1, 2, 3, 4]);
	});

	test('members of tomorrow are handed on with their records, those of the answer are not', async () => {
		const all = await linkIds(stage, 2);
		change = (envelope) => ({
			...envelope,
			more: true,
			urls: (envelope.urls as IDataObject[]).map(({ id }) => ({
				id: String(Number(id)),
				mood: 'good',
			})),
		});
		const { json } = await listThrough({ returnAll: true });
		expect(json).toEqual(all.map((id) => ({ id, mood: 'good' })));
	});

	test('an answer without the list is an error that says so', async () => {
		change = ({ urls: _urls, ...envelope }) => envelope;
		const { error, json } = await listThrough({ returnAll: true });
		expect(error).toMatchObject({
			message: 'The answer holds no "urls"',
			description: 'Check the base URL in the credential: another service may answer there',
		});
		expect(json).toEqual([]);
	});
});

describe('where the service refuses a limit above 50', () => {
	const stage = onStage(new Stage({ maxLimit: 'refused-above-50' }));
	const limits = ({ requests }: Pick<StageResult, 'requests'>) =>
		requests.map(({ query }) => query.limit);

	test('a list is asked for less, is read whole, and the next one begins with what is accepted', async () => {
		const all = await linkIds(stage, 120);
		const first = await list(stage, { returnAll: true });
		expect(ids(first)).toEqual(all);
		expect(limits(first)).toEqual(['100', '50', '50', '50']);
		const second = await list(stage, { returnAll: true });
		expect(ids(second)).toEqual(all);
		expect(limits(second)).toEqual(['50', '50', '50']);
	});

	test('a dropdown shows the records, and knows from then on', async () => {
		await linkIds(stage, 60);
		const first = await stage.search('searchLinks');
		expect(first.results).toHaveLength(50);
		expect(limits(first)).toEqual(['100', '50']);
		const next = await stage.search('searchLinks', { paginationToken: '2' });
		expect(next.results).toHaveLength(10);
		expect(limits(next)).toEqual(['50']);
	});

	test('a refusal that is not about the limit is told after five requests', async () => {
		const { error, requests } = await stage.link('channel.getItems', {
			channelId: byId(987654321),
			returnAll: true,
		});
		expect(error?.message).toMatch(/no channel|not found/i);
		expect(requests.length).toBeLessThanOrEqual(5);
	});
});
