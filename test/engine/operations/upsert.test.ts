import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/faults.ts';
import { recordsOf } from '../operationSample.ts';
import type { StageResult } from '../support.ts';
import { Stage, inEveryDialect, like, onStage, pairs } from '../support.ts';

const LIST = 'GET /api/urls';
const CREATE = 'POST /api/url/add';

const PARAMETERS: INodeParameters = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };

const BY_URL = { matchBy: 'longUrl' };
const KEEP = { ifExists: 'keep' };
const CONTINUE = { onError: 'continueRegularOutput' } as const;

async function upsert(
	stage: Stage,
	rows: IDataObject[],
	parameters: INodeParameters = {},
	settings = {},
): Promise<StageResult> {
	return await stage.link('link.upsert', { ...PARAMETERS, ...parameters }, { rows, settings });
}

const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);
const createdIn = ({ json }: StageResult): unknown[] => json.map(({ created }) => created);
const row = (alias: string, url = `https://example.com/${alias}`) => ({ alias, url });

/** Links that lead there. */
const leadingTo = async (stage: Stage, url: unknown): Promise<number> =>
	(await recordsOf(stage, '/api/urls')).filter(({ longurl }) => longurl === url).length;

inEveryDialect((stage) => {
	test('the second row of an alias finds what the first one made', async () => {
		const [alias, other] = [stage.unique('twice'), stage.unique('once')];
		const rows = [row(alias), row(other), row(alias, 'https://example.com/new')];
		const result = await upsert(stage, rows);
		const [first, , second] = result.json;
		expect(createdIn(result)).toEqual([true, true, false]);
		expect(second).toMatchObject({ id: first?.id, alias, longurl: 'https://example.com/new' });
		const update = `PUT /api/url/${Number(first?.id)}/update`;
		expect(sentIn(result)).toEqual([LIST, CREATE, CREATE, update]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});

	test('the same sheet, run again, creates nothing', async () => {
		const rows = ['a', 'b', 'c'].map((name) => row(stage.unique(name)));
		const first = await upsert(stage, rows);
		const kept = await upsert(stage, rows, KEEP);
		expect(kept.json).toEqual(first.json.map((link) => ({ ...link, created: false })));
		expect(sentIn(kept)).toEqual([LIST]);
		const updated = await upsert(stage, rows);
		expect(updated.json).toEqual(kept.json);
	});

	/** What became of three rows, whose first create suffers; `looks` at the list after it. */
	const faults: Array<[FaultKind, { looks: number; creates: number }]> = [
		['drop-before', { looks: 1, creates: 4 }],
		['drop-after', { looks: 1, creates: 3 }],
		['http-500', { looks: 1, creates: 4 }],
		['http-503', { looks: 1, creates: 4 }],
		['cut-json', { looks: 1, creates: 3 }],
		['empty-body', { looks: 1, creates: 3 }],
	];
	test.each(
		faults.flatMap(([kind, counts]) => [{}, BY_URL].map((match) => [kind, match, counts] as const)),
	)('after %s, %j finds out whether the link was made', async (kind, match, { looks, creates }) => {
		stage.sandbox.faults.add({ kind, method: 'POST', path: '/api/url/add' });
		const rows = ['a', 'b', 'c'].map((name) => row(stage.unique(name)));
		const result = await upsert(stage, rows, match);
		expect(result.error).toBeUndefined();
		expect(createdIn(result)).toEqual([true, true, true]);
		for (const { url } of rows) expect(await leadingTo(stage, url)).toBe(1);
		const requests = sentIn(result);
		expect(requests.filter((request) => request === LIST)).toHaveLength(1 + looks);
		expect(requests.filter((request) => request === CREATE)).toHaveLength(creates);
	});
});

describe.each([
	['desc', 1],
	['asc', 2],
] as const)('in lists that are %s', (listOrder, looks) => {
	const stage = onStage(new Stage({ listOrder }));

	test('a link whose answer was lost is looked for where new ones stand', async () => {
		const { sandbox, linkAccount } = stage;
		sandbox.links.addLinks(linkAccount.id, 500, 0);
		sandbox.faults.add({ kind: 'drop-after', method: 'POST', path: '/api/url/add' });
		const requests = sentIn(await upsert(stage, [row(stage.unique('a'))]));
		const before = Array<string>(5).fill(LIST);
		expect(requests).toEqual([...before, CREATE, ...Array<string>(looks).fill(LIST)]);
	});
});

describe('an upsert', () => {
	const stage = onStage(new Stage({ aliases: 'per-domain', maxLimit: '100' }));

	test('that the service goes on losing says that it may be run again, and may', async () => {
		stage.sandbox.faults.add({ kind: 'http-503', method: 'POST', path: '/api/url/add', times: 2 });
		const rows = [row(stage.unique('a'))];
		const lost = await upsert(stage, rows);
		expect(lost.error).toMatchObject({
			message: 'The link service is not available (status 503)',
			description: 'Run it again: a link that was created is found, not created twice',
		});
		expect(createdIn(await upsert(stage, rows))).toEqual([true]);
	});

	test('sends an update again whose answer was lost', async () => {
		const rows = [row(stage.unique('a'))];
		await upsert(stage, rows);
		stage.sandbox.faults.add({ kind: 'drop-after', method: 'PUT' });
		const result = await upsert(stage, rows);
		expect(createdIn(result)).toEqual([false]);
		expect(sentIn(result)).toHaveLength(3);
	});

	test('is tried again by Retry On Fail without creating anything twice', async () => {
		stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
		stage.sandbox.faults.add({ kind: 'http-500', path: '/api/urls', times: 1 });
		const rows = ['a', 'b'].map((name) => row(stage.unique(name)));
		const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const result = await upsert(stage, rows, {}, tries);
		expect(result.error).toBeUndefined();
		for (const { url } of rows) expect(await leadingTo(stage, url)).toBe(1);
	});

	describe('of an alias on a domain', () => {
		const ON_DOMAIN = {
			...KEEP,
			additionalFields: { domain: { __rl: true, mode: 'name', value: '={{ $json.domain }}' } },
		};

		test('asks for the domain where two have it, takes it however it is written, and no other alias', async () => {
			const domain = `https://${stage.unique('go')}.example.com`;
			await stage.make('/api/domain/add', { domain });
			const custom = stage.unique('spring');
			const url = 'https://example.com/';
			await stage.make('/api/url/add', { url, custom });
			const id = await stage.make('/api/url/add', { url, custom, domain });
			const rows = [
				{ ...row(custom), domain: '' },
				...[domain, `${domain}/`].map((written) => ({ ...row(custom), domain: written })),
				{ ...row(`${custom}?other`), domain },
			];
			expect((await upsert(stage, rows, ON_DOMAIN, CONTINUE)).json).toMatchObject([
				{ error: like(/^2 links are called .* domain\.$/) },
				{ id, created: false },
				{ id, created: false },
				{ error: like(/must have/) },
			]);
		});
	});

	test.each([
		[{}, { alias: ' ' }, 'Custom Alias is empty'],
		[{}, { alias: 'a', url: 'no url' }, /^URL must be a web address/],
		[BY_URL, { url: '' }, 'URL is empty'],
	])('refuses %j with %j before any request', async (match, bad, message) => {
		const result = await upsert(stage, [{ ...row('a'), ...bad }], match);
		expect(result.error?.message).toMatch(message);
		expect(result.requests).toEqual([]);
	});

	test('of 1,000 rows in an account of 10,000 links, 10 of them new, takes 110 requests', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 10_000, 0);
		const records = await recordsOf(stage, '/api/urls');
		const present = records.filter((_record, at) => at % 10 === 0).slice(0, 990);
		const rows = [
			...present.map(({ alias, longurl }) => row(String(alias), String(longurl))),
			...Array.from({ length: 10 }, (_, at) => row(stage.unique(`new-${at}`))),
		];
		const result = await upsert(stage, rows, KEEP);
		expect(createdIn(result)).toEqual(rows.map((_row, at) => at >= 990));
		expect(sentIn(result)).toHaveLength(110);
	});
});

describe('the fields of the input row', () => {
	const stage = onStage(new Stage());
	const options = { options: { includeInputFields: true } };

	test('stand beside the result, which wins where it has a value', async () => {
		const rows = ['a', 'b'].map((name) => ({
			...row(stage.unique(name)),
			id: 'mine',
			Owner: { name },
		}));
		for (const operation of ['link.create', 'link.upsert']) {
			const { json } = await stage.link(operation, { ...PARAMETERS, ...options }, { rows });
			expect(json).toMatchObject(rows.map(({ Owner, url }) => ({ Owner, url, longurl: url })));
			for (const { id } of json) expect(typeof id).toBe('number');
		}
	});

	test('stand beside a valid and an invalid purchase code', async () => {
		const { store } = stage.sandbox;
		const code = store.addPurchase(store.addItem(stage.storeAccount.id));
		const rows = [code, 'wrong-code'].map((entered) => ({ entered, customer: `c-${entered}` }));
		const { json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.entered }}', ...options },
			{ rows },
		);
		expect(json).toMatchObject([
			{ ...rows[0], valid: true },
			{ ...rows[1], valid: false },
		]);
	});
});
