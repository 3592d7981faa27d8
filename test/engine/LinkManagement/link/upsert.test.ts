import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { DETAILED, LISTED } from '../../../../dist/nodes/LinkManagement/resources/link/upToDate.js';
import type { FaultKind } from '../../../../sandbox/faults.ts';
import { fixtureOf } from '../../../fixtures.ts';
import { OPERATIONS } from '../../../operations.ts';
import type { StageResult } from '../../helpers/support.ts';
import {
	Stage,
	inContrastingDialects,
	like,
	onStage,
	pairs,
	recordsOf,
} from '../../helpers/support.ts';

const LIST = 'GET /api/urls';
const CREATE = 'POST /api/url/add';
const DOMAINS = 'GET /api/domains';

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

const FIELDS = OPERATIONS.find(({ name }) => name === 'link.upsert')?.fields ?? [];

/** The fields of *Additional Fields* that are sent. */
const ADDED_FIELDS = FIELDS.filter(({ name }) => name === 'additionalFields')
	.flatMap(({ options = [] }) => options)
	.filter((option) => 'type' in option)
	.filter(({ routing }) => routing !== undefined);
const ADDED = ADDED_FIELDS.map(({ name }) => name);

/** A value for each field. */
const EVERY_FIELD = fixtureOf('linkManagement', 'link.upsert').cases.find(
	({ title }) => title === 'sends every field',
)?.parameters as INodeParameters;
const VALUES = EVERY_FIELD.additionalFields as INodeParameters;

/** What a row is compared in, by what the API calls it. */
const COMPARED = Object.keys({ ...LISTED, ...DETAILED });

/** The field that is sent as this, with its value. */
function parametersOf(property: string): INodeParameters {
	const isSent = ({ routing }: INodeProperties) => routing?.send?.property === property;
	const added = ADDED_FIELDS.find(isSent)?.name;
	if (added !== undefined) return { additionalFields: { [added]: VALUES[added] } };
	const name = FIELDS.find(isSent)?.name ?? '';
	return { [name]: { ...EVERY_FIELD, ...PARAMETERS }[name] };
}

const sentIn = ({ requests }: StageResult): string[] => requests.map(({ request }) => request);
const outcomesIn = ({ json }: StageResult): unknown[] => json.map(({ outcome }) => outcome);
const row = (alias: string, url = `https://example.com/${alias}`) => ({ alias, url });

/** Links that lead there. */
const leadingTo = async (stage: Stage, url: unknown): Promise<number> =>
	(await recordsOf(stage, '/api/urls')).filter(({ longurl }) => longurl === url).length;

inContrastingDialects((stage) => {
	test('the second row of an alias is refused, unless it says the same', async () => {
		const [alias, other] = [stage.unique('twice'), stage.unique('once')];
		const rows = [row(alias), row(other), row(alias), row(alias, 'https://example.com/new')];
		const stopped = await upsert(stage, rows);
		expect(stopped.error?.message).toBe(
			`Custom Alias ${alias} is already in item 1 (item 4 of 4: nothing was sent)`,
		);
		expect(sentIn(stopped)).toEqual([]);
		const result = await upsert(stage, rows, {}, CONTINUE);
		expect(outcomesIn(result)).toEqual(['created', 'created', 'unchanged', undefined]);
		expect(result.json[3]?.error).toMatch(/^Custom Alias \S+ is already in item 1\. /);
		expect(result.json[2]).toMatchObject({ id: result.json[0]?.id, alias });
		expect(sentIn(result)).toEqual([LIST, CREATE, CREATE]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }]);
		expect(await leadingTo(stage, 'https://example.com/new')).toBe(0);
	});

	test('two rows with one URL are one link only if they say the same', async () => {
		const url = `https://example.com/${stage.unique('page')}`;
		const rows = [
			{ url },
			{ url: `${url}?utm_source=mail` },
			{ url },
			{ url, alias: stage.unique('b') },
			{ url },
		];
		const result = await upsert(stage, rows, BY_URL, CONTINUE);
		expect(outcomesIn(result)).toEqual([
			'created',
			'created',
			'unchanged',
			undefined,
			// The row before it is refused, so only the first one counts.
			'unchanged',
		]);
		expect(result.json[3]?.error).toMatch(`URL ${url} is already in item 1`);
	});

	test('the same sheet, run again, writes nothing', async () => {
		const rows = ['a', 'b', 'c'].map((name) => row(stage.unique(name)));
		const first = await upsert(stage, rows);
		for (const parameters of [{}, KEEP]) {
			const again = await upsert(stage, rows, parameters);
			expect(again.json).toEqual(
				first.json.map((link) => ({ ...link, date: like(/^\d{4}-/), outcome: 'unchanged' })),
			);
			expect(sentIn(again)).toEqual([LIST]);
		}
		const changed = rows.map(({ alias }, at) => row(alias, `https://example.com/${at}`));
		expect(outcomesIn(await upsert(stage, changed, KEEP))).toEqual(rows.map(() => 'unchanged'));
		const updated = await upsert(stage, changed);
		expect(updated.json).toMatchObject(
			changed.map(({ url }) => ({ longurl: url, outcome: 'updated' })),
		);
	});

	/** What became of three rows, whose first create suffers; `looks` at the list after it. */
	const faults: Array<[FaultKind, { looks: number; creates: number }]> = [
		['drop-after', { looks: 1, creates: 3 }],
		['http-500', { looks: 1, creates: 4 }],
		['http-503', { looks: 1, creates: 4 }],
		['cut-json', { looks: 1, creates: 3 }],
	];
	test.each(
		faults.flatMap(([kind, counts]) => [{}, BY_URL].map((match) => [kind, match, counts] as const)),
	)('after %s, %j finds out whether the link was made', async (kind, match, { looks, creates }) => {
		stage.sandbox.faults.add({ kind, method: 'POST', path: '/api/url/add' });
		const rows = ['a', 'b', 'c'].map((name) => row(stage.unique(name)));
		const result = await upsert(stage, rows, match);
		expect(result.error).toBeUndefined();
		expect(outcomesIn(result)).toEqual(['created', 'created', 'created']);
		for (const { url } of rows) expect(await leadingTo(stage, url)).toBe(1);
		const requests = sentIn(result);
		expect(requests.filter((request) => request === LIST)).toHaveLength(1 + looks);
		expect(requests.filter((request) => request === CREATE)).toHaveLength(creates);
	});
});

describe.each(['desc', 'asc'] as const)('in lists that are %s', (listOrder) => {
	const stage = onStage(new Stage({ listOrder }));

	test('links whose responses were lost are looked for where new ones stand', async () => {
		const { sandbox, linkAccount } = stage;
		sandbox.links.addLinks(linkAccount.id, 2500, 0);
		sandbox.faults.add({ kind: 'drop-after', method: 'POST', path: '/api/url/add', times: 4 });
		const result = await upsert(
			stage,
			['a', 'b', 'c', 'd'].map((name) => row(stage.unique(name))),
		);
		expect(outcomesIn(result)).toEqual(Array<string>(4).fill('created'));
		// The 25th page is full, so another one may follow.
		const list = Array<string>(26).fill(LIST);
		const lost = [CREATE, LIST];
		const first = listOrder === 'asc' ? [...lost, LIST] : lost;
		expect(sentIn(result)).toEqual([...list, ...first, ...lost, ...lost, ...lost]);
	});
});

describe('an upsert', () => {
	const stage = onStage(new Stage({ aliases: 'per-domain', maxLimit: '100' }));

	test('whose link is not in the list after a lost response can be run again', async () => {
		stage.sandbox.faults.add({ kind: 'http-503', method: 'POST', path: '/api/url/add', times: 2 });
		const rows = [row(stage.unique('a'))];
		const lost = await upsert(stage, rows);
		expect(lost.error).toMatchObject({
			message: 'The service is not available (status 503)',
			description: 'Run the workflow again: a link that was created is found, not created twice',
		});
		expect(sentIn(lost)).toEqual([LIST, CREATE, LIST, CREATE]);
		expect(outcomesIn(await upsert(stage, rows))).toEqual(['created']);
	});

	test('without an alias is not sent again: nothing would refuse a second link', async () => {
		stage.sandbox.faults.add({ kind: 'http-503', method: 'POST', path: '/api/url/add' });
		const rows = [{ url: 'https://example.com/late' }];
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const lost = await upsert(stage, rows, BY_URL, tries);
		expect(lost.error?.description).toContain('Run the workflow again');
		expect(sentIn(lost)).toEqual([LIST, CREATE, LIST]);
		expect(outcomesIn(await upsert(stage, rows, BY_URL))).toEqual(['created']);
	});

	test('sends an update only once if its response is lost', async () => {
		const alias = stage.unique('a');
		await upsert(stage, [row(alias)]);
		stage.sandbox.faults.add({ kind: 'drop-after', method: 'PUT' });
		const rows = [row(alias, 'https://example.com/new')];
		const result = await upsert(stage, rows, {}, { retryOnFail: true, maxTries: 2 });
		expect(result.error?.description).toContain('was not sent again');
		expect(sentIn(result).filter((sent) => sent.startsWith('PUT'))).toHaveLength(1);
		expect(outcomesIn(await upsert(stage, rows))).toEqual(['unchanged']);
	});

	test('is tried again by Retry On Fail without creating anything twice', async () => {
		stage.sandbox.faults.add({ kind: 'drop-after', path: '/api/url/add', times: 1 });
		stage.sandbox.faults.add({ kind: 'http-500', path: '/api/urls', times: 1 });
		const rows = ['a', 'b'].map((name) => row(stage.unique(name)));
		const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const result = await upsert(stage, rows, {}, tries);
		expect(result.error).toBeUndefined();
		for (const { url } of rows) expect(await leadingTo(stage, url)).toBe(1);
	});

	test('of 300 rows, 10 of them changed, takes 10 requests and the list', async () => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 300, 0);
		const rows = (await recordsOf(stage, '/api/urls')).map(({ alias, longurl }, at) =>
			row(String(alias), at % 30 === 0 ? `https://example.com/${at}` : String(longurl)),
		);
		const result = await upsert(stage, rows);
		expect(outcomesIn(result)).toEqual(
			rows.map((_row, at) => (at % 30 === 0 ? 'updated' : 'unchanged')),
		);
		expect(sentIn(result)).toHaveLength(10 + 4);
	});

	test.each(ADDED)('writes a row that differs in nothing but %s', async (name) => {
		expect(Object.keys(VALUES)).toContain(name);
		const rows = [row(stage.unique('a'))];
		await upsert(stage, rows);
		const result = await upsert(stage, rows, { additionalFields: { [name]: VALUES[name] } });
		expect(outcomesIn(result)).toEqual(['updated']);
	});

	test.each(COMPARED)('leaves a row alone whose link has its %s', async (property) => {
		const domain = `https://${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain });
		const rows = [{ ...row(stage.unique('a')), domain }];
		const parameters = parametersOf(property);
		await upsert(stage, rows, parameters);
		const result = await upsert(stage, rows, parameters);
		const problem = `${property} is written again: if GET /api/urls does not show it, its comparison goes into DETAILED of link/upToDate.ts`;
		expect(outcomesIn(result)[0] === 'unchanged' ? [] : [problem, result.error]).toEqual([]);
	});

	test('by long URL finds links with their tags again', async () => {
		const url = `https://example.com/${stage.unique('page')}`;
		const rows = ['mail', 'two words & more'].map((source) => ({ url, source }));
		const parameters = {
			...BY_URL,
			customAlias: '',
			additionalFields: { utm: { source: '={{ $json.source }}' } },
		};
		const first = await upsert(stage, rows, parameters);
		expect(outcomesIn(first)).toEqual(['created', 'created']);
		expect(first.json).toMatchObject([
			{ longurl: `${url}?utm_source=mail` },
			{ longurl: `${url}?utm_source=two%20words%20%26%20more` },
		]);
		expect(sentIn(await upsert(stage, rows, parameters))).toEqual([LIST]);
	});

	test('by long URL takes a link on another domain for another link', async () => {
		const domain = `https://${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain });
		const url = `https://example.com/${stage.unique('page')}`;
		const rows = ['', domain].map((written) => ({ url, domain: written }));
		const parameters = {
			...BY_URL,
			customAlias: '',
			domain: { __rl: true, mode: 'name', value: '={{ $json.domain }}' },
		};
		const first = await upsert(stage, rows.toReversed(), parameters);
		expect(outcomesIn(first)).toEqual(['created', 'created']);
		const again = await upsert(stage, rows, parameters);
		expect(outcomesIn(again)).toEqual(['unchanged', 'unchanged']);
		expect(again.json.map(({ id }) => id)).toEqual(first.json.map(({ id }) => id).toReversed());
	});

	test('by long URL finds a link whose parameters the service has in its long URL', async () => {
		const url = `https://example.com/${stage.unique('page')}`;
		const id = await stage.make('/api/url/add', { url: `${url}?ref=x` });
		const parameters = {
			...BY_URL,
			customAlias: '',
			additionalFields: { parameters: { parameter: [{ name: 'ref', value: 'x' }] } },
		};
		const result = await upsert(stage, [{ url }], parameters);
		expect(result.json).toMatchObject([{ id, outcome: 'updated' }]);
	});
});

describe('an alias', () => {
	const stage = onStage(new Stage({ aliases: 'per-domain' }));
	const ON_DOMAIN = { domain: { __rl: true, mode: 'name', value: '={{ $json.domain }}' } };

	const newDomain = async (): Promise<string> => {
		const domain = `https://${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain });
		return domain;
	};

	test('without a domain is never that of a link on a branded one', async () => {
		const [domain, alias] = [await newDomain(), stage.unique('spring')];
		const rows = [
			{ ...row(alias, 'https://example.com/branded'), domain },
			{ ...row(alias, 'https://example.com/own'), domain: '' },
		];
		const first = await upsert(stage, rows, ON_DOMAIN);
		expect(outcomesIn(first)).toEqual(['created', 'created']);
		expect(sentIn(first)).toEqual([LIST, CREATE, DOMAINS, CREATE]);
		const again = await upsert(stage, rows.toReversed(), ON_DOMAIN);
		expect(outcomesIn(again)).toEqual(['unchanged', 'unchanged']);
		expect(again.json.map(({ id }) => id)).toEqual(first.json.map(({ id }) => id).toReversed());
		expect(sentIn(again)).toEqual([LIST, DOMAINS]);
	});

	test.each([':443', '.'])('is found with %j after its domain', async (end) => {
		const [domain, alias] = [await newDomain(), stage.unique('spring')];
		const rows = [{ ...row(alias), domain }];
		await upsert(stage, rows, ON_DOMAIN);
		const again = await upsert(stage, [{ ...row(alias), domain: `${domain}${end}` }], ON_DOMAIN);
		expect(outcomesIn(again)).toEqual(['unchanged']);
	});

	test('is found on the own domain of a service whose API has another host', async () => {
		const alias = stage.unique('spring');
		const baseUrl = stage.sandbox.linkUrl.replace('127.0.0.1', 'localhost');
		const given = { rows: [row(alias)], credential: { baseUrl } };
		for (const [outcome, ...sent] of [
			['created', LIST, CREATE],
			['unchanged', LIST, DOMAINS],
		]) {
			const result = await stage.link('link.upsert', PARAMETERS, given);
			expect([outcomesIn(result), sentIn(result)]).toEqual([[outcome], sent]);
		}
	});

	test.each(['R&D', 'a+b', '@john', 'gro\u0308ße', '%41%', 'a?b#c', 'two words', 'promo/spring'])(
		'%s is found on a domain and without one',
		async (name) => {
			const [domain, alias] = [await newDomain(), `${name}-${stage.unique('x')}`];
			const rows = ['', domain, `${domain}/`].map((written) => ({
				...row(alias, 'https://example.com/'),
				domain: written,
			}));
			const first = await upsert(stage, rows, ON_DOMAIN, CONTINUE);

			expect(outcomesIn(first)).toEqual(['created', 'created', 'unchanged']);
			expect(first.json.map((link) => link.alias)).toEqual(rows.map(() => alias));
			const again = await upsert(stage, rows, ON_DOMAIN);
			expect(outcomesIn(again)).toEqual(rows.map(() => 'unchanged'));
		},
	);
});

describe('where an alias exists once, on whatever domain', () => {
	const stage = onStage(new Stage());

	test('the refusal of an alias names the link that was not meant', async () => {
		const domain = `https://${stage.unique('go')}.example.com`;
		await stage.make('/api/domain/add', { domain });
		const alias = stage.unique('spring');
		await stage.make('/api/url/add', { url: 'https://example.com/', custom: alias, domain });
		const { error } = await upsert(stage, [row(alias)]);
		expect(error).toMatchObject({
			message: `The alias ${alias} is already taken.`,
			description: like(new RegExp(`^There is go-\\S+/${alias} .*its domain exactly$`)),
		});
	});
});

describe('a service that answers a create with an old link', () => {
	const stage = onStage(new Stage({ sameUrl: 'existing' }));
	const url = 'https://example.com/';

	test('has made no link of another alias', async () => {
		await stage.make('/api/url/add', { url, custom: stage.unique('old') });
		const parameters = { url, customAlias: '={{ $json.alias }}' };
		const rows = ['a', 'b'].map((name) => ({ alias: stage.unique(name) }));
		for (const operation of ['link.create', 'link.upsert']) {
			const { json } = await stage.link(operation, parameters, { rows, settings: CONTINUE });
			expect(json).toEqual(
				rows.map(({ alias }) => ({ error: like(new RegExp(`"old-\\d+" instead of "${alias}"`)) })),
			);
		}
	});
});

describe.each(['nested', 'without-id', 'short_url'] as const)(
	'a service whose answer is %s',
	(linkAnswer) => {
		const stage = onStage(new Stage({ linkAnswer }));
		const hasId = linkAnswer !== 'without-id';

		test('keeps the short URL that is known', async () => {
			const alias = stage.unique('a');
			const [first] = (await upsert(stage, [row(alias)])).json;
			const changed = await upsert(stage, [row(alias, 'https://example.com/new')]);
			expect(changed.json).toMatchObject([
				{ shorturl: first?.shorturl, alias, outcome: 'updated' },
			]);
			const linkId = { __rl: true, mode: 'url', value: alias };
			for (const updateFields of [{ metaTitle: 'x' }, { url: 'https://example.com/2' }]) {
				const { json } = await stage.link('link.update', { linkId, updateFields });
				expect(json).toMatchObject([
					{ id: expect.any(Number) as number, shorturl: first?.shorturl },
				]);
			}
		});

		test('finds a link that the run made, and says what it needs its ID for', async () => {
			const alias = stage.unique('a');
			const titles = { additionalFields: { metaTitle: '={{ $json.title }}' } };
			const rows = [row(alias), row(alias)].map((each) => ({ ...each, title: 'Spring' }));
			const { json } = await upsert(stage, rows, titles, CONTINUE);
			expect(json).toMatchObject([
				{ outcome: 'created' },
				hasId
					? { outcome: 'updated' }
					: { error: like(/cannot be updated: the service gave no ID that/) },
			]);
		});
	},
);
