import { existsSync, globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Exchange, Run } from '../../fixtures.ts';
import { FIXTURES, fixtureFile } from '../../fixtures.ts';
import type { DialectName } from '../../../sandbox/dialects.ts';
import { presetDialect } from '../../../sandbox/dialects.ts';
import { OPERATION_NODES, OPERATIONS } from '../../operations.ts';
import type { FixtureRun, Prepared } from '../helpers/fixture.ts';
import { prepare, runFixture } from '../helpers/fixture.ts';
import { outputSchema, schemaFile } from '../helpers/outputSchema.ts';
import type { StageResult } from '../helpers/support.ts';
import {
	A_NUMBER,
	inContrastingDialects,
	inEveryDialect,
	pairs,
	Stage,
} from '../helpers/support.ts';

/**
 * Every operation sends and outputs what its file in `test/operations` says; `documented` gives its responses, and in `seen`,
 * the sample output of the editor is that of the operation.
 */

/** Runs it, and compares every request and every item. */
async function expectRun(stage: Stage, run: FixtureRun, rowCount = 1) {
	const prepared = await prepare(stage, run, rowCount);
	const { rows, exchanges } = prepared;
	if (run.replay) replay(stage, exchanges ?? []);
	const result = await runFixture(stage, run, { rows });

	if (run.error === undefined) expectItems(run, result, prepared);
	else expect(result.error).toMatchObject(prepared.error as object);
	if (!exchanges) return { exchanges, json: result.json };
	const expected = exchanges.map(({ request, query = {}, body }) =>
		stage.expected(run.node === 'store' ? 'store' : 'link', request, { query, body }),
	);
	// Reads are in flight at the same time.
	const anyOrder = run.requests?.every(({ request }) => request.startsWith('GET ')) ?? false;
	expectAll(result.requests, expected, anyOrder);
	return { exchanges, json: result.json };
}

function expectItems(run: FixtureRun, result: StageResult, { outputs, binary }: Prepared): void {
	expect(result.error).toBeUndefined();
	if (run.node === 'linkManagement') expect(textsIn(result.json, outputs.flat())).toEqual([]);
	expect(result.json).toEqual(outputs.flat());
	expect(pairs(result)).toEqual(outputs.flatMap((items, item) => items.map(() => ({ item }))));
	if (binary) expect(result.items[0]?.binary).toMatchObject(binary);
	if (run.anyColumns) return;
	// A table of the items has no holes: a member that is undefined is no column.
	const columns = result.json.map((item) =>
		Object.keys(JSON.parse(JSON.stringify(item)) as object),
	);
	expect(columns.map((names) => names.sort())).toEqual(columns.map(() => columns[0]));
}

/** The numbers that came as texts. A comparison of whole items would not say where they become numbers. */
const textsIn = (items: IDataObject[], expected: unknown[]): string[] =>
	items.flatMap((item, at) =>
		Object.entries(expected[at] ?? {})
			.filter(([, value]) => typeof value === 'number' || value === A_NUMBER)
			.filter(([name]) => typeof item[name] === 'string')
			.map(([name]) => `${name} is a text: add it to record in nodes/LinkManagement/records.ts`),
	);

function expectAll(actual: unknown[], expected: unknown[], anyOrder: boolean): void {
	expect(actual).toEqual(anyOrder ? expect.arrayContaining(expected) : expected);
	expect(actual).toHaveLength(expected.length);
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
	const isIn = (preset: DialectName) => isDeepStrictEqual(stage.dialect, presetDialect(preset));
	const isDocumented = isIn('documented');

	test.each(FIXTURES)('$node $name', async (fixture) => {
		const { exchanges, json } = await expectRun(stage, fixture, isDocumented ? 1 : 2);
		if (isIn('seen')) {
			const file = schemaFile(fixture);
			const title = `${file}, written by npm run schemas`;
			const sample = existsSync(file) ? readFileSync(file, 'utf8') : '"missing"';
			expect({ [title]: JSON.parse(sample) as unknown }).toEqual({ [title]: outputSchema(json) });
		}
		if (!isDocumented) return;
		const responses = stage.sandbox.requests.map(({ response }) => String(response));
		expect(responses.map((response) => JSON.parse(response) as unknown)).toEqual(
			exchanges?.map(({ response }) => response),
		);
	});
}

inEveryDialect(testEach);

test.each(CASES.filter((run) => isAlone(run)))('$node $name $title', async (run) => {
	await using stage = await Stage.opened(run.replay ? 'documented' : run.dialect);
	await expectRun(stage, run);
});

/** `filters.test.ts` and `paging.test.ts` test what every list has; a notice is no field. */
const needsCase = ({ name, type }: Pick<INodeProperties, 'name'> & { type?: string }): boolean =>
	!['returnAll', 'limit', 'search'].includes(name) && type !== 'notice';

test('every operation has a file, and every field of it a case', () => {
	const missing = OPERATIONS.flatMap(({ node, name, fields }) => {
		const file = fixtureFile(OPERATION_NODES[node].folder, name);
		if (!existsSync(file)) return [`${file} is missing`];
		const fixture = FIXTURES.find((each) => each.file === file);
		const runs = [fixture, ...(fixture?.cases ?? [])].map((run) => run?.parameters ?? {});
		return fields.filter(needsCase).flatMap((field) => {
			const isBox = field.type === 'collection';
			const options = isBox ? (field.options ?? [field]).filter(needsCase) : [undefined];
			return options.flatMap((option) => {
				const isSet = runs.some((parameters) => {
					const value = parameters[field.name];
					return option ? option.name in Object(value ?? {}) : value !== undefined;
				});
				const path = option ? `${field.name}.${option.name}` : field.name;
				return isSet ? [] : [`${file} has no case with the field ${path}`];
			});
		});
	});
	expect(missing).toEqual([]);
});

test('every operation has a sample output, and every sample output an operation', () => {
	const written = globSync('nodes/*/__schema__/**/*.json');
	const wanted = FIXTURES.map(schemaFile);
	const missing = wanted.filter((file) => !written.includes(file));
	expect(missing.map((file) => `${file} is missing: npm run schemas writes it`)).toEqual([]);
	expect(written.sort()).toEqual(wanted.sort());
});

test('every file is of an operation', () => {
	const files = OPERATIONS.map(({ node, name }) => fixtureFile(OPERATION_NODES[node].folder, name));
	expect(FIXTURES.map(({ file }) => file)).toEqual(files.sort());
});
