import { existsSync, readFileSync } from 'node:fs';

import type { OperationSample } from '../engine/operationSamples.ts';
import { OPERATION_SAMPLES } from '../engine/operationSamples.ts';
import { schemaFile, schemaOf } from '../engine/outputSchema.ts';
import { Stage } from '../engine/support.ts';
import type { CredentialRef } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, saveSandboxCredentials, withCredentials } from '../n8n-host/instance.ts';
import { list, record } from '../n8n-host/json.ts';
import { KEYS } from './keys.ts';
import { theStage } from './stage.ts';
import { chain, linkManagement, store, TRIGGER } from './workflow.ts';

/**
 * Every operation in the real n8n, with the samples of the engine's tests: two rows each, paired with their results,
 * which have the members that the sample outputs promise; and what the service shows afterwards.
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
	stage.storeAccount = await sandbox.registerStoreAccount({
		email,
		apiKey: KEYS.store,
	});
	await client.login(DEMO_OWNER);
	credentials = await saveSandboxCredentials(
		client,
		{
			linkUrl: sandbox.linkUrl,
			linkApiKey: stage.linkAccount.apiKey,
			storeUrl: sandbox.storeUrl,
			storeApiKey: stage.storeAccount.apiKey,
		},
		{ suffix: 'without a limit', data: { requestsPerMinute: 0 } },
	);
});

afterAll(async () => {
	await stage.close();
});

/** A list has one row and, here, as many results as it has records. */
const pairsOf = (sample: OperationSample, results: number): number[][] =>
	Array.from({ length: results }, (_, index) => [sample.kind === 'list' ? 0 : index]);

test.each(OPERATION_SAMPLES)('$node $name', async (sample) => {
	const rows = await sample.rows(stage, 2);
	const step = sample.node === 'store' ? store : linkManagement;
	const workflow = chain(`E2E every operation: ${sample.name}`, rows, [
		step(STEP, sample.name, sample.parameters),
	]);
	const result = await client.run(withCredentials(workflow, credentials), TRIGGER);
	expect(result.error).toBeUndefined();
	expect(result.status).toBe('success');

	const items = result.items(STEP);
	expect(items.length).toBeGreaterThanOrEqual(2);
	expect(items.map(({ pairedItems }) => pairedItems)).toEqual(pairsOf(sample, items.length));
	const file = schemaFile(sample);
	const promised: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : 'missing';
	expect({ ...schemaOf(items[0]?.json), version: 1 }).toEqual(promised);
	if (sample.kind === 'write') expect(await sample.written(stage, rows)).toBe(rows.length);
});

test('no operation that n8n offers has been left out', async () => {
	const offered: string[] = [];
	for (const { name, description } of await client.nodeTypes('n8n-nodes-linkstore.')) {
		if (/Tool$|Trigger$/.test(name)) continue;
		for (const property of list(description.properties).map(record)) {
			if (property.name !== 'operation') continue;
			const { show } = record(property.displayOptions);
			const [resource] = list(record(show).resource);
			for (const { value } of list(property.options).map(record)) {
				// n8n offers one of its own with every node: it points to the HTTP Request node.
				if (value === '__CUSTOM_API_CALL__') continue;
				offered.push(
					`${name.includes('store.store') ? 'store' : 'link'} ${String(resource)}.${String(value)}`,
				);
			}
		}
	}
	const samples = OPERATION_SAMPLES.map(({ node, name }) => `${node} ${name}`);
	expect(samples.toSorted()).toEqual(offered.toSorted());
});
