import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CHOICES } from '../../../sandbox/dialects.ts';
import type { StageResult } from '../support.ts';
import { Stage, byId, inEveryDialect, largestPage, onStage } from '../support.ts';

const ids = ({ json }: StageResult): unknown[] => json.map(({ id }) => id);
const limits = ({ requests }: StageResult): unknown[] => requests.map(({ query }) => query.limit);
const pages = ({ requests }: StageResult): unknown[] => requests.map(({ query }) => query.page);

const numbers = (from: number, to: number): number[] =>
	Array.from(
		{ length: Math.abs(to - from) + 1 },
		(_, step) => from + step * Math.sign(to - from || 1),
	);

/** What the links of the stage's account are listed as: ids in the order of the service. */
async function linkIds(stage: Stage, count: number): Promise<number[]> {
	stage.sandbox.links.addLinks(stage.linkAccount.id, count);
	const { data } = await stage.api('GET /api/urls?limit=1');
	const [record] = (data as { urls: Array<{ id: unknown }> }).urls;
	const first = Number(record?.id);
	return stage.dialect.listOrder === 'desc'
		? numbers(first, first - count + 1)
		: numbers(first, first + count - 1);
}

const list = async (stage: Stage, parameters: INodeParameters, credential: IDataObject = {}) =>
	await stage.link('link.getAll', { options: {}, ...parameters }, { credential });

inEveryDialect((stage) => {
	/** Requests for so many records of a list that has more, or exactly as many, of them. */
	const requestsFor = (records: number, asked: number) => {
		const largest = largestPage(stage.dialect);
		const perPage = stage.dialect.maxLimit === 'ignored' ? largest : Math.min(asked, largest);
		return Math.ceil(records / perPage);
	};

	test('the default limit is 50', async () => {
		const all = await linkIds(stage, 60);
		const result = await list(stage, {});
		expect(ids(result)).toEqual(all.slice(0, 50));
		expect(result.requests).toHaveLength(requestsFor(50, 50));
	});

	test.each([1, 7, 25, 99, 100, 101, 205])(
		'a limit of %i gives that many records, each once, and fetches no page too many',
		async (limit) => {
			const all = await linkIds(stage, 210);
			const result = await list(stage, { returnAll: false, limit });
			expect(ids(result)).toEqual(all.slice(0, limit));
			expect(result.requests).toHaveLength(requestsFor(limit, Math.min(limit, 100)));
			expect(new Set(limits(result))).toEqual(new Set([String(Math.min(limit, 100))]));
		},
	);

	test('Return All gives every record once, whatever the last page says of the next one', async () => {
		const all = await linkIds(stage, 230);
		const result = await list(stage, { returnAll: true });
		expect(ids(result)).toEqual(all);
		expect(result.requests).toHaveLength(requestsFor(230, 100));
		expect(pages(result)).toEqual(numbers(1, result.requests.length).map(String));
	});

	test('Return All of a list whose last page is full asks for one page more only if the service promises one', async () => {
		// A multiple of every page that a dialect has.
		const all = await linkIds(stage, 300);
		const result = await list(stage, { returnAll: true });
		expect(ids(result)).toEqual(all);
		const promised = stage.dialect.nextPage === 'plus-one' ? 1 : 0;
		expect(result.requests).toHaveLength(requestsFor(300, 100) + promised);
	});

	test('an empty list gives no items in one request', async () => {
		for (const returnAll of [true, false]) {
			const result = await list(stage, { returnAll });
			expect(result.error).toBeUndefined();
			expect(result.json).toEqual([]);
			expect(result.requests).toHaveLength(1);
		}
	});

	test('a limit given as text, or beyond the records there are, works', async () => {
		const all = await linkIds(stage, 3);
		const parameters = { limit: '={{ $json.limit }}', options: {} };
		const texts = await stage.link('link.getAll', parameters, { rows: [{ limit: '2' }] });
		const beyond = await stage.link('link.getAll', parameters, { rows: [{ limit: 1000 }] });
		expect(ids(texts)).toEqual(all.slice(0, 2));
		expect(ids(beyond)).toEqual(all);
		expect(beyond.requests).toHaveLength(1);
	});

	test('the items of a channel come in pages too', async () => {
		const channel = await stage.make('/api/channel/add', { name: 'All' });
		const all = await linkIds(stage, 110);
		for (const id of all) await stage.api(`POST /api/channel/${channel}/assign/links/${id}`);
		const result = await stage.link('channel.getItems', {
			channelId: byId(channel),
			returnAll: true,
		});
		expect(ids(result)).toEqual(all);
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
			const isFull = count > 0 && count % 25 === 0;
			expect(result.requests).toHaveLength(
				Math.max(1, Math.ceil(count / 25)) + (isFull && nextPage === 'plus-one' ? 1 : 0),
			);
		});
	});
});

describe('when links are added while the pages are read', () => {
	/** What happens at the service after the first page has been answered. */
	let afterFirstPage: (() => void) | undefined;
	const stage = onStage(
		new Stage(
			{ maxLimit: '25', listOrder: 'desc' },
			{
				onRequest: ({ query }) => {
					if (query.page !== '1') return;
					afterFirstPage?.();
					afterFirstPage = undefined;
				},
			},
		),
	);
	const account = () => stage.linkAccount.id;

	test('a link that slides to the next page comes once, and none is missing', async () => {
		const all = await linkIds(stage, 60);
		afterFirstPage = () => {
			stage.sandbox.links.addLinks(account(), 3, 0);
		};
		const result = await list(stage, { returnAll: true });
		expect(ids(result)).toEqual(all);
		expect(result.requests).toHaveLength(3);
	});

	test('a whole page of new links does not end the list early', async () => {
		const all = await linkIds(stage, 60);
		afterFirstPage = () => {
			stage.sandbox.links.addLinks(account(), 25, 0);
		};
		const result = await list(stage, { returnAll: true });
		expect(ids(result)).toEqual(all);
		expect(result.requests).toHaveLength(4);
	});

	test('a limit counts every link once', async () => {
		const all = await linkIds(stage, 60);
		afterFirstPage = () => {
			stage.sandbox.links.addLinks(account(), 10, 0);
		};
		const result = await list(stage, { returnAll: false, limit: 50 });
		expect(ids(result)).toEqual(all.slice(0, 50));
		expect(result.requests).toHaveLength(3);
	});
});

describe('behind a service that answers oddly', () => {
	const stage = onStage(new Stage({ maxLimit: '25' }));
	let change: (envelope: IDataObject, page: number) => IDataObject | Promise<IDataObject>;
	let server: Server;
	let asked: number[];

	/** Passes every request on to the sandbox, and changes the envelope of its lists on the way back. */
	beforeAll(async () => {
		server = createServer((request, response) => {
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
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterAll(async () => {
		await new Promise((resolve) => server.close(resolve));
	});
	beforeEach(() => {
		asked = [];
	});

	const listThrough = async (parameters: INodeParameters) => {
		const { port } = server.address() as AddressInfo;
		return await list(stage, parameters, { baseUrl: `http://127.0.0.1:${port}` });
	};

	const deleteAfterFirstPage = (deleted: number[]) => {
		change = async (envelope, page) => {
			if (page === 1) for (const id of deleted) await stage.api(`DELETE /api/url/${id}/delete`);
			return envelope;
		};
	};

	test('links that are deleted before their page is read are left out, all others come', async () => {
		const all = await linkIds(stage, 60);
		const deleted = all.slice(50, 55);
		deleteAfterFirstPage(deleted);
		const result = await listThrough({ returnAll: true });
		expect(ids(result)).toEqual(all.filter((id) => !deleted.includes(id)));
		expect(asked).toEqual([1, 2, 3]);
	});

	test('links that are deleted after their page was read bring no error and no link twice', async () => {
		const all = await linkIds(stage, 60);
		deleteAfterFirstPage(all.slice(0, 5));
		const result = await listThrough({ returnAll: true });
		expect(result.error).toBeUndefined();
		expect(ids(result)).toEqual([...new Set(ids(result))]);
		expect(ids(result).slice(0, 25)).toEqual(all.slice(0, 25));
		expect(ids(result).slice(25)).toEqual(all.slice(30));
	});

	test('a maxpage that is too high costs one request more and no error', async () => {
		const all = await linkIds(stage, 60);
		change = (envelope) => ({ ...envelope, maxpage: 40 });
		const result = await listThrough({ returnAll: true });
		expect(ids(result)).toEqual(all);
		expect(asked).toEqual([1, 2, 3, 4]);
	});

	test('a maxpage that is too low does not hide records, as long as nextpage leads on', async () => {
		const all = await linkIds(stage, 60);
		change = (envelope, page) => ({ ...envelope, maxpage: 1, nextpage: page + 1 });
		const result = await listThrough({ returnAll: true });
		expect(ids(result)).toEqual(all);
		expect(asked).toEqual([1, 2, 3]);
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
		const result = await listThrough({ returnAll: true });
		expect(ids(result)).toEqual(all);
		expect(asked).toEqual([1, 2, 3]);
	});

	test('records and envelopes with members of tomorrow are handed on', async () => {
		await linkIds(stage, 2);
		change = (envelope) => ({
			...envelope,
			more: true,
			urls: (envelope.urls as IDataObject[]).map((record) => ({ ...record, mood: 'good' })),
		});
		const { json } = await listThrough({ returnAll: true });
		expect(json.map(({ mood }) => mood)).toEqual(['good', 'good']);
		for (const item of json) {
			expect(item).not.toHaveProperty('server');
			expect(item).not.toHaveProperty('error');
		}
	});

	test('records without the optional members are handed on as they are', async () => {
		const all = await linkIds(stage, 2);
		change = (envelope) => ({
			...envelope,
			urls: (envelope.urls as IDataObject[]).map(({ id }) => ({ id: String(id as number) })),
		});
		const { json } = await listThrough({ returnAll: true });
		expect(json).toEqual(all.map((id) => ({ id })));
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
