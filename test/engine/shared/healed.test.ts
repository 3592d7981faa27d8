import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Random } from '../../unit/helpers/random.ts';
import { pass } from '../helpers/clock.ts';
import type { StageResult } from '../helpers/support.ts';
import { Stage, onStage, recordsOf } from '../helpers/support.ts';

/** What an accident changes for others, or for later: nothing. */

const stage = onStage(new Stage());

const LIST = { method: 'GET', path: '/api/urls' } as const;

const listAll = async (): Promise<StageResult> =>
	await stage.link('link.getAll', { returnAll: true });

const limitsOf = ({ requests }: StageResult): unknown[] =>
	requests.map(({ query }) => Number(query.limit));

test('a first page that fails in one run ends no list of another one early', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 450);
	stage.sandbox.faults.add({ kind: 'http-500', ...LIST });
	const results = await Promise.all([listAll(), listAll(), listAll()]);
	expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
	expect(results.map(({ json }) => json.length)).toEqual([450, 450, 450]);
});

test.each(['http-500', 'http-502'] as const)(
	'after %s, the next run reads large pages again',
	async (kind) => {
		stage.sandbox.links.addLinks(stage.linkAccount.id, 250);
		const before = limitsOf(await listAll());
		stage.sandbox.faults.add({ kind, ...LIST, times: 40 });
		expect((await listAll()).error).toBeDefined();
		stage.sandbox.faults.clear();
		expect(limitsOf(await listAll())).toEqual(before);
	},
);

const UPSERT: INodeParameters = {
	url: '={{ $json.url }}',
	customAlias: '={{ $json.alias }}',
	matchBy: 'longUrl',
};

const CONTINUE = { settings: { onError: 'continueRegularOutput' } } as const;

test('a page that fails while Create or Update reads the list fails one row', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 350);
	const links = await recordsOf(stage, '/api/urls');
	const rows = links.slice(100, 130).map(({ longurl }) => ({ url: String(longurl) }));
	stage.sandbox.faults.add({ kind: 'delay', ...LIST, milliseconds: 1 });
	stage.sandbox.faults.add({ kind: 'http-500', ...LIST });
	const result = await stage.link('link.upsert', UPSERT, { rows, ...CONTINUE });
	const failed = result.json.filter((row: IDataObject) => row.error !== undefined);
	expect(failed).toHaveLength(1);
	const outcomes = result.json.flatMap(({ outcome }) => outcome ?? []);
	expect(outcomes).toEqual(Array<string>(29).fill('unchanged'));
});

test('a service that is down ends a run after five requests, one of which is tried for a minute', async () => {
	stage.sandbox.faults.add({ kind: 'http-503', ...LIST, times: 1000 });
	const rows = Array.from({ length: 30 }, (_, at) => ({ url: `https://example.com/${at}` }));
	const result = await stage.link('link.upsert', UPSERT, { rows, ...CONTINUE });
	stage.sandbox.faults.clear();
	expect(result.json.filter(({ error }) => error !== undefined)).toHaveLength(30);
	expect(result.json.at(-1)?.error).toEqual(
		expect.stringMatching(/^Not sent, because 5 requests in a row/),
	);
	expect(result.requests.length).toBeLessThan(25);
});

/** What a run, an import and a dropdown of one account get and send. */
async function readAll(rows: IDataObject[]): Promise<unknown> {
	const list = await listAll();
	const upsert = await stage.link('link.upsert', UPSERT, { rows, ...CONTINUE });
	const dropdown = await stage.search('searchLinks', { filter: 'a' });
	const requests = [list, upsert, dropdown].map((each) =>
		each.requests.map(({ request, query }) => ({ request, query })),
	);
	return { requests, list: list.json, upsert: upsert.json, entries: dropdown.results };
}

const FAULTS = ['http-500', 'http-503', 'cut-json', 'empty-body', 'drop-before'] as const;

test.each(Array.from({ length: 24 }, (_, index) => index + 1))(
	'after accident %i, runs and dropdowns get and send what they did before',
	async (seed) => {
		const random = new Random(seed);
		stage.sandbox.links.addLinks(stage.linkAccount.id, random.integer(1, 250));
		const links = await recordsOf(stage, '/api/urls');
		const rows = links
			.slice(0, random.integer(1, 5))
			.map(({ longurl }) => ({ url: String(longurl) }));
		const before = await readAll(rows);
		const kind = random.pick(FAULTS);
		stage.sandbox.faults.add({ kind, ...LIST, times: random.integer(1, 12) });
		await Promise.all([
			listAll(),
			stage.link('link.upsert', UPSERT, { rows, ...CONTINUE }),
			stage.search('searchLinks').catch(() => undefined),
		]);
		stage.sandbox.faults.clear();
		pass(60_000);
		expect(await readAll(rows)).toEqual(before);
	},
);
