import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { create, extract } from 'tar';

import { DEMO } from '../../sandbox/demo.ts';
import type { ExecutionResult } from '../n8n-host/client.ts';
import { removeFolder, temporaryFolder } from '../n8n-host/community-package.ts';
import { readWorkflow, withCredentials } from '../n8n-host/instance.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { record } from '../n8n-host/json.ts';
import { A_NUMBER, including, like } from './matchers.ts';
import { OwnN8n } from './ownN8n.ts';
import { theStage } from './stage.ts';
import { until } from '../n8n-host/until.ts';
import { polledOften, TRIGGER } from './workflow.ts';

/** The tests are one story: a user installs the package, works with it, and later gets a newer one. */

const OLDER_VERSION = '0.1.0';
/** A release after which workflows are saved in another way adds one of its own; this one stays. */
const FIXTURE = `test/e2e/fixtures/workflow-${OLDER_VERSION}.json`;

const { tarball } = theStage();
let folder: string;
let n8n: OwnN8n;
let workflowId: string;
let executionsBefore: string[];
/** What came to the list of links after the state that 1.0.0 has left of its trigger. */
let linksSince: unknown[];

beforeAll(async () => {
	folder = await temporaryFolder('upgrade');
	n8n = await OwnN8n.open({
		name: 'upgrade',
		tarball: await olderTarball(),
		sandbox: { rateLimit: { requests: 0, windowSeconds: 1 } },
	});
});

afterAll(async () => {
	await n8n.close();
	await removeFolder(folder);
});

/** The same package under an older version number: what is proven is that what was saved then runs now. */
async function olderTarball(): Promise<string> {
	const unpacked = join(folder, 'older');
	await mkdir(unpacked);
	await extract({ file: tarball, cwd: unpacked });
	const manifestFile = join(unpacked, 'package', 'package.json');
	const manifest: unknown = JSON.parse(await readFile(manifestFile, 'utf8'));
	await writeFile(manifestFile, JSON.stringify({ ...record(manifest), version: OLDER_VERSION }));
	const file = join(folder, 'older.tgz');
	await create({ file, cwd: unpacked, gzip: true }, ['package']);
	return file;
}

/** What the workflow of the first release gave then, it has to give always. */
function expectTheOldResults(result: ExecutionResult): void {
	expect(result.error).toBeUndefined();
	expect(result.status).toBe('success');
	const json = (node: string) => result.items(node).map((item) => item.json);
	const ids = json('Create').map(({ id }) => id);
	expect(json('Create')).toMatchObject(ids.map(() => ({ id: A_NUMBER, shorturl: like(/^http/) })));
	expect(json('Update')).toEqual(json('Create'));
	expect(json('Get')).toEqual(
		['first', 'second'].map((name, index) =>
			including({
				id: ids[index],
				longurl: `https://example.com/${name}`,
				title: index === 0 ? 'First again' : 'Second again',
				description: 'Kept since the first release',
				location: { germany: 'https://example.com/de' },
				device: { iphone: 'https://example.com/phone' },
				expiry: '2099-12-31 12:00:00',
			}),
		),
	);
	// What becomes of them one by one, the engine's tests see.
	const items = Object.values(result.runs).map((runs) => runs.at(-1)?.outputs[0]?.length);
	expect(items).toHaveLength(15);
	expect(items).not.toContain(0);
	expect(json('Newest links').map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
	expect(json('Check')).toEqual([including({ valid: true, item_matches: true })]);
}

test('with the older version installed, the workflow saved by the first release runs', async () => {
	const workflow = withCredentials(polledOften(await readWorkflow(FIXTURE)), n8n.credentials);
	workflowId = (await n8n.client.importWorkflow(workflow)).id;
	const before = await n8n.client.runSaved(workflowId, TRIGGER);
	expectTheOldResults(before);
	linksSince = before.items('Create').map(({ json }) => json.id);
	executionsBefore = (await n8n.client.executions(workflowId)).map(({ id }) => id);
});

/** Writes down what the trigger of 1.0.0 left when it had given out that link. */
function storeStateOfTrigger(id: unknown): void {
	const watched = JSON.stringify([n8n.sandbox.linkUrl, DEMO.link.apiKey, 'linkCreated']);
	const source = createHash('sha256').update(watched).digest('base64url').slice(0, 16);
	const state = { id, at: 0, order: 'newestFirst', size: 100, isFixed: false };
	const database = new DatabaseSync(join(n8n.folder, 'n8n', '.n8n', 'database.sqlite'));
	const { changes } = database
		.prepare('UPDATE workflow_entity SET staticData = ? WHERE id = ?')
		.run(JSON.stringify({ 'node:New link': { source, state } }), workflowId);
	database.close();
	expect(changes).toBe(1);
}

test('after the package was replaced by this version, all is there, and the workflow runs as before', async () => {
	await n8n.stop();
	storeStateOfTrigger(linksSince.shift());
	await n8n.start(tarball);
	const { client } = n8n;
	expect(await client.credentials()).toEqual(expect.arrayContaining(n8n.credentials));
	expect((await client.executions(workflowId)).map(({ id }) => id)).toEqual(executionsBefore);
	const after = await client.runSaved(workflowId, TRIGGER);
	expectTheOldResults(after);
	linksSince.push(...after.items('Create').map(({ json }) => json.id));
});

/** What a trigger has given out in all executions that it started, as soon as that is so many items. */
async function givenBy(trigger: string, count: number): Promise<JsonRecord[]> {
	const { client } = n8n;
	let given: JsonRecord[] = [];
	await until(async () => {
		given = [];
		for (const { id, mode } of (await client.executions(workflowId)).toReversed()) {
			if (mode !== 'trigger') continue;
			const execution = await client.finished(id);
			expect(execution.status).toBe('success');
			if (!(trigger in execution.runs)) continue;
			given.push(...execution.items(trigger).map(({ json }) => json));
		}
		return given.length >= count;
	}, `what "${trigger}" gives out`);
	return given;
}

test('the triggers of the workflow start it, from where 1.0.0 has left them', async () => {
	const { client } = n8n;
	await client.activate(workflowId);
	expect(await givenBy('Support ends', 1)).toEqual([
		including({ purchase_code: '5f1c2a90-7d3e-4b8a-9c61-0e2f4a6b8d10', support_active: true }),
	]);
	const made = (await client.runSaved(workflowId, TRIGGER)).items('Create');
	linksSince.push(...made.map(({ json }) => json.id));
	const given = await givenBy('New link', linksSince.length);
	expect(given.map(({ id }) => id)).toEqual(linksSince);
	for (const link of given) {
		expect(link).toMatchObject({
			description: 'Kept since the first release',
			location: { germany: 'https://example.com/de' },
		});
	}
	await client.deactivate(workflowId);
});
