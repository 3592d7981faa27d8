import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { KeyRefused } from '../../../sandbox/faults.ts';
import type { Exchange, Fields, Fixture, Refused, Run } from '../../fixtures.ts';
import { FIXTURES } from '../../fixtures.ts';
import { CREATE_REFUSED } from '../../../dist/nodes/shared/http/response.js';
import type { DialectName } from '../../../sandbox/dialects.ts';
import { dialectOf } from '../../../sandbox/dialects.ts';
import { translated } from '../../../sandbox/store/routes.ts';
import { OPERATIONS } from '../../operations.ts';
import type { FixtureRun, Prepared } from '../helpers/fixture.ts';
import { filledRow, prepare, runFixture } from '../helpers/fixture.ts';
import { outputSchema, schemaFile } from '../helpers/outputSchema.ts';
import type { StageResult } from '../helpers/support.ts';
import { inContrastingDialects, inEveryDialect, like, pairs, Stage } from '../helpers/support.ts';

/**
 * Every operation sends and outputs what its file in `test/operations` says, and fails as it says; `documented` gives its
 * responses, and in `installed`, the sample output of the editor is that of the operation.
 */

/** Runs it, and compares every request and every item. */
async function expectRun(stage: Stage, run: FixtureRun, rowCount = 1) {
	const prepared = await prepare(stage, run, rowCount);
	const { rows, exchanges } = prepared;
	if (run.replay) replay(stage, exchanges);
	const result = await runFixture(stage, run, { rows });
	if (run.error !== undefined) expect(result.error).toMatchObject(prepared.error as object);
	else expect(result.error?.message).toBeUndefined();
	expectRequests(stage, run, exchanges, result);
	if (run.error === undefined) expectItems(result, prepared);
	return { exchanges, json: result.json, rows };
}

function expectRequests(
	stage: Stage,
	{ node }: FixtureRun,
	exchanges: Exchange[],
	{ requests }: StageResult,
): void {
	const service = node === 'store' ? 'store' : 'link';
	const expected = exchanges.map(({ request, ...sent }) => stage.expected(service, request, sent));
	// Reads are in flight at the same time.
	const areReads = expected.every(({ request }) => request.startsWith('GET '));
	expect(requests).toHaveLength(expected.length);
	expect(requests).toEqual(areReads ? expect.arrayContaining(expected) : expected);
}

function expectItems(result: StageResult, { outputs, binary }: Prepared): void {
	expect(result.json).toEqual(outputs.flat());
	expect(pairs(result)).toEqual(outputs.flatMap((items, item) => items.map(() => ({ item }))));
	if (binary) expect(result.items[0]?.binary).toMatchObject(binary);
	// A table of the items has no holes: a member that is undefined is no column.
	const columns = result.json.map((item) =>
		Object.keys(JSON.parse(JSON.stringify(item)) as object).sort(),
	);
	expect(columns).toEqual(columns.map(() => columns[0]));
}

/** Makes the service give the responses of the fixture. */
function replay({ sandbox }: Stage, exchanges: Exchange[]): void {
	for (const { request, status, response } of exchanges) {
		const [method, path] = request.split(' ');
		sandbox.faults.add({ kind: 'respond', method, path, status, body: response });
	}
}

const CASES = FIXTURES.flatMap(({ cases, ...fixture }) =>
	cases.map((given) => ({ ...fixture, ...given })),
);

/** What sends nothing, and what has a service of its own, is the same in every dialect. */
const isAlone = ({ error, dialect, replay }: Run): boolean =>
	error !== undefined || dialect !== undefined || replay === true;

inContrastingDialects((stage) => {
	test.each(CASES.filter((run) => !isAlone(run)))('$node $name $title', async (run) => {
		await expectRun(stage, run);
	});
});

function testEach(stage: Stage): void {
	const isIn = (preset: DialectName) => isDeepStrictEqual(stage.dialect, dialectOf(preset));
	const isDocumented = isIn('documented');

	test.each(FIXTURES)('$node $name', async (fixture) => {
		const { exchanges, json, rows } = await expectRun(stage, fixture, isDocumented ? 1 : 2);
		if (isIn('installed')) {
			// `npm run schemas` writes it.
			const sample = JSON.parse(readFileSync(schemaFile(fixture), 'utf8')) as unknown;
			expect(sample).toEqual(outputSchema(fixture, json, rows));
		}
		if (!isDocumented) return;
		const responses = stage.sandbox.requests.map(
			({ response }) => JSON.parse(String(response)) as unknown,
		);
		expect(responses).toEqual(exchanges.map(({ response }) => response));
	});
}

/** The fixture, with what the service refuses if its key does not. */
function refusedRun(stage: Stage, fixture: Fixture) {
	if (!fixture.refused && JSON.stringify(fixture.parameters).includes('$json'))
		throw new Error(`The fixture of ${fixture.name} has no "refused", whose row fills its columns`);
	const { row = {}, parameters } = fixture.refused ?? {};
	const run = { ...fixture, parameters: { ...fixture.parameters, ...parameters } };
	return { run, rows: [filledRow(stage, row)] };
}

/** What the service refuses: its own message first, then what to do, and the status. */
async function expectRefusal(stage: Stage, fixture: Refusable): Promise<void> {
	const { run, rows } = refusedRun(stage, fixture);
	const { dialect } = stage;
	const { message: words, status, advice } = fixture.refused;
	const isOfStore = fixture.node === 'store';
	const isValidation = fixture.name === 'purchase.validate';
	const message = isOfStore ? translated(words, dialect) : words;
	const { failureStatus } = dialect;
	const isOk = failureStatus === 'http200' || (failureStatus === 'links200' && !isOfStore);
	const code = isOk ? '200' : String(status);
	const isCreate = /\.(?:create|upsert)$/.test(fixture.name);
	const checkValues = isCreate ? CREATE_REFUSED : 'Check the values you entered';
	const missing = 'It may have been deleted, or belong to another account';
	const usual = code === '404' ? missing : checkValues;
	const stopped = await runFixture(stage, run, { rows });
	expect(stopped.error).toMatchObject({
		name: 'NodeApiError',
		message,
		description: advice ?? usual,
		// An invalid code is a result of the store; that it is an error, the user chose.
		httpCode: isValidation ? null : code,
	});
	expect(stopped.items).toEqual([]);

	const onError = 'continueRegularOutput';
	const { items, error } = await runFixture(stage, run, { rows, settings: { onError } });
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json: expect.any(Object) as unknown, pairedItem: { item: 0 } }]);
	const [{ json }] = items as [{ json: IDataObject }];
	expect(json).toMatchObject({ ...rows[0], error: expect.stringContaining(message) as unknown });
	// What happened is read first in a table of the items.
	const before = isValidation ? 2 : json.outcome === 'failed' ? 1 : 0;
	expect(Object.keys(json)[before]).toBe('error');
}

async function expectRefusedKey(stage: Stage, fixture: Fixture): Promise<void> {
	const { run, rows } = refusedRun(stage, fixture);
	const credential = { apiKey: 'mistyped' };
	const { error, items, requests } = await runFixture(stage, run, { rows, credential });
	const { keyRefused, storeShapes } = stage.dialect;
	// Only the account then says that it is the key.
	const isProved = fixture.node === 'store' && storeShapes === 'installed';
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: isProved
			? `The store refused the API key (${translated('Invalid request', stage.dialect)})`
			: (expect.stringContaining(new KeyRefused().message.replace(/\.$/, '')) as unknown),
		// With 200, only the words of the service say that it is the key.
		description: like(keyRefused === '200' ? /./ : /^Check the API key in the credential/),
		httpCode: isProved ? '401' : keyRefused,
	});
	expect(items).toEqual([]);
	expect(requests.length).toBeLessThanOrEqual(4);
}

type Refusable = Fixture & { refused: Refused };

inEveryDialect((stage) => {
	testEach(stage);

	test.each(FIXTURES.filter((fixture): fixture is Refusable => fixture.refused !== undefined))(
		'$node $name tells the message of the service',
		async (fixture) => await expectRefusal(stage, fixture),
	);

	test.each(FIXTURES)('$node $name says that the key was refused', async (fixture) => {
		await expectRefusedKey(stage, fixture);
	});
});

test.each(CASES.filter((run) => isAlone(run)))('$node $name $title', async (run) => {
	await using stage = await Stage.opened(run.replay ? 'documented' : run.dialect);
	await expectRun(stage, run);
});

const SIMPLIFIED = OPERATIONS.filter(({ listed }) =>
	listed.some(({ name }) => name === 'simplify'),
);

test.each(SIMPLIFIED)('Simplify of $node $name gives at most ten members', (operation) => {
	const { properties } = JSON.parse(readFileSync(schemaFile(operation), 'utf8')) as Fields;
	expect(Object.keys(Object(properties) as Fields).length).toBeLessThanOrEqual(10);
});
