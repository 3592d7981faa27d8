import { existsSync, readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { outputOf, recordsOf } from '../engine/operationSample.ts';
import type { OperationSample } from '../engine/operationSamples.ts';
import { OPERATION_SAMPLES } from '../engine/operationSamples.ts';
import { schemaFile, schemaOf } from '../engine/outputSchema.ts';
import { Stage } from '../engine/support.ts';
import type { CredentialRef, ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, saveSandboxCredentials, withCredentials } from '../n8n-host/instance.ts';
import { KEYS } from './keys.ts';
import { A_NUMBER, A_RECORD, including, like } from './matchers.ts';
import { theStage } from './stage.ts';
import { byId, chain, link, linkManagement, store, TRIGGER } from './workflow.ts';

/**
 * Every operation in the real n8n, with the samples of the engine's tests: two rows each, paired with their results,
 * which have the members that the sample outputs promise; and what the service shows afterwards. Then a workflow as
 * people build them: what a step gives out is found again by the next ones, row by row.
 */

const STEP = 'Step';

const client = new N8nClient(theStage().n8nUrl);
const stage = new Stage();
let credentials: CredentialRef[];

beforeAll(async () => {
	await stage.open();
	const { sandbox } = stage;
	const email = 'every@example.com';
	stage.linkAccount = await sandbox.register({ email, apiKey: KEYS.everyOperation });
	stage.storeAccount = await sandbox.registerStoreAccount({ email, apiKey: KEYS.store });
	await client.login(DEMO_OWNER);
	const { linkUrl, storeUrl } = sandbox;
	credentials = await saveSandboxCredentials(
		client,
		{ linkUrl, linkApiKey: KEYS.everyOperation, storeUrl, storeApiKey: KEYS.store },
		{ suffix: 'without a limit', data: { requestsPerMinute: 0 } },
	);
});

afterAll(async () => {
	await stage.close();
});

async function run(workflow: WorkflowJson): Promise<ExecutionResult> {
	const result = await client.run(withCredentials(workflow, credentials), TRIGGER);
	expect(result.error).toBeUndefined();
	expect(result.status).toBe('success');
	return result;
}

/** A list has one row and, here, as many results as it has records. */
const pairsOf = (sample: OperationSample, rows: IDataObject[], results: number): number[][] =>
	sample.kind === 'list'
		? Array.from({ length: results }, () => [0])
		: rows.flatMap((row, index) => outputOf(sample, row, stage).map(() => [index]));

test.each(OPERATION_SAMPLES)('$node $name', async (sample) => {
	const rows = await sample.rows(stage, 2);
	const step = sample.node === 'store' ? store : linkManagement;
	const workflow = chain(`E2E every operation: ${sample.name}`, rows, [
		step(STEP, sample.name, sample.parameters),
	]);
	const items = (await run(workflow)).items(STEP);
	expect(items.length).toBeGreaterThanOrEqual(2);
	expect(items.map(({ pairedItems }) => pairedItems)).toEqual(pairsOf(sample, rows, items.length));
	const file = schemaFile(sample);
	const promised: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : 'missing';
	expect({ ...schemaOf(items[0]?.json), version: 1 }).toEqual(promised);
	if (sample.kind === 'write') expect(await sample.written(stage, rows)).toBe(rows.length);
});

const ROWS = [
	{ title: 'Spring', address: 'https://example.com/spring' },
	{ title: 'Summer', address: 'https://example.com/summer?colour=green&size=xl' },
	{ title: 'Autumn', address: 'https://example.com/autumn' },
];

test('three links are created, updated, read and deleted, each with what belongs to its row', async () => {
	const id = byId("={{ $('Create').item.json.id }}");
	const result = await run(
		chain('E2E create, update, read, delete', ROWS, [
			link('Create', 'create', {
				url: '={{ $json.address }}',
				additionalFields: { metaTitle: '={{ $json.title }}' },
			}),
			link('Update', 'update', {
				linkId: byId('={{ $json.id }}'),
				updateFields: { metaTitle: "={{ $('Rows').item.json.title + ' is here' }}" },
			}),
			link('Get', 'get', { linkId: id }),
			link('Delete', 'delete', { linkId: id }),
		]),
	);

	const created = result.items('Create').map(({ json }) => json);
	expect(created).toEqual(
		ROWS.map(({ address }) => ({
			...{ id: A_NUMBER, shorturl: like(/^https?:\/\//), longurl: address, alias: like(/./) },
		})),
	);
	const ids = created.map((json) => json.id);
	expect(result.items('Get').map(({ json }) => json)).toMatchObject(
		ROWS.map(({ title, address }, index) => ({
			...{ id: ids[index], longurl: address, title: `${title} is here`, statistics: A_RECORD },
		})),
	);
	expect(result.items('Delete').map(({ json }) => json)).toEqual(
		ids.map((deleted) => ({ deleted: true, id: deleted })),
	);
	for (const step of ['Create', 'Update', 'Get', 'Delete']) {
		expect(result.items(step).map(({ pairedItems }) => pairedItems)).toEqual([[0], [1], [2]]);
	}
	const left = (await recordsOf(stage, '/api/urls')).map((record) => record.id);
	expect(left.filter((found) => ids.includes(found))).toEqual([]);
});

test('a faulty row among others gives an error that still carries its row', async () => {
	const mistyped = { title: 'Mistyped', address: 'example dot com' };
	const create = link('Create', 'create', { url: '={{ $json.address }}' });
	const result = await run(
		chain('E2E error output', ROWS.with(1, mistyped), [
			{ ...create, onError: 'continueErrorOutput' },
		]),
	);
	expect(result.items('Create', 0).map(({ pairedItems }) => pairedItems)).toEqual([[0], [2]]);
	expect(result.items('Create', 1).map(({ json }) => json)).toEqual([including(mistyped)]);
});
