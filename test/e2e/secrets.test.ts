import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, withCredentials } from '../n8n-host/instance.ts';
import { freePorts } from '../n8n-host/ports.ts';
import { KEYS } from './keys.ts';
import { allStages, resultsFolder, theStage } from './stage.ts';
import { until } from '../n8n-host/until.ts';
import { chain, purchase, TRIGGER } from './workflow.ts';

/** Runs after all other suites, so that it searches what they have left. */

const LONGEST_SUITE_MS = 600_000;

const client = new N8nClient(theStage().n8nUrl);
const DATA_FOLDERS = allStages().map(({ folder }) => join(folder, 'n8n', '.n8n'));

/** In each form in which a key might be written. */
const FORMS = Object.entries(KEYS).flatMap(([name, key]) => [
	{ name, form: key },
	{ name: `${name}, in base64`, form: Buffer.from(key).toString('base64').replaceAll('=', '') },
]);

/** Which keys can be read in it. */
function keysIn(content: string | Uint8Array): string[] {
	const bytes = Buffer.from(content);
	return FORMS.filter(({ form }) => bytes.includes(form)).map(({ name }) => name);
}

beforeAll(async () => {
	// The reporter leaves this.
	const signal = join(resultsFolder(), 'all-others-ended');
	await until(() => existsSync(signal), 'the other suites', LONGEST_SUITE_MS);
	await client.login(DEMO_OWNER);
}, LONGEST_SUITE_MS);

test('a key can be found where it is, also in the midst of other bytes', () => {
	expect(keysIn(`{"headers":{"Authorization":"Bearer ${KEYS.link}"}}`)).toEqual(['link']);
	expect(keysIn(Buffer.concat([Buffer.from([0, 255]), Buffer.from(KEYS.store)]))).toEqual([
		'store',
	]);
	expect(keysIn(Buffer.from(KEYS.model).toString('base64'))).toEqual(['model, in base64']);
	expect(keysIn('nothing')).toEqual([]);
});

test('an execution fails with its key in the address', async () => {
	const [port] = await freePorts(1);
	const data = {
		...{ baseUrl: `http://127.0.0.1:${port}`, apiKey: KEYS.store, requestsPerMinute: 0 },
		...{ apiKeyLocation: 'query', apiKeyHeader: 'api_key' },
	};
	const away = await client.saveCredential({ name: 'Store that is away', type: 'storeApi', data });
	const validate = purchase('Validate', 'validate', { purchaseCode: 'any', options: {} });
	const workflow = withCredentials(chain('E2E store that is away', [{}], [validate]), [away]);
	const { status, raw } = await client.run(workflow, TRIGGER);
	expect([status, keysIn(raw)]).toEqual(['error', []]);
});

test.each(DATA_FOLDERS)("no table of n8n's database in %s holds a key", (dataFolder) => {
	const database = new DatabaseSync(join(dataFolder, 'database.sqlite'), { readOnly: true });
	const rowsIn = new Map<string, number>();
	try {
		const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
		for (const table of tables.map(({ name }) => String(name))) {
			const rows = database.prepare(`SELECT * FROM "${table}"`).all();
			rowsIn.set(table, rows.length);
			for (const row of rows) {
				for (const [column, value] of Object.entries(row)) {
					const content = value instanceof Uint8Array ? value : String(value);
					expect({ table, column, keys: keysIn(content) }).toEqual({ table, column, keys: [] });
				}
			}
		}
	} finally {
		database.close();
	}
	const always = ['credentials_entity', 'user'];
	// Of another worker all suites may have an n8n of their own; here some executions have just failed.
	const isOurs = dataFolder.startsWith(theStage().folder);
	for (const table of [...always, ...(isOurs ? ['execution_data', 'workflow_entity'] : [])]) {
		expect(rowsIn.get(table)).toBeGreaterThan(0);
	}
});

test("no file of n8n's holds a key: the database as bytes, its journal, logs, settings", async () => {
	for (const dataFolder of DATA_FOLDERS) {
		const files = await filesIn(dataFolder);
		for (const name of ['database.sqlite', 'n8nEventLog.log', 'config']) {
			expect(files).toContain(join(dataFolder, name));
		}
		await expectNoKeyIn(files);
	}
});

test('nothing that the suites leave for people holds a key: logs, dumps, pictures and their text', async () => {
	const files = await filesIn(resultsFolder());
	for (const { logFile } of allStages()) expect(files).toContain(logFile);
	await expectNoKeyIn(files);
});

async function expectNoKeyIn(files: string[]): Promise<void> {
	for (const file of files) {
		expect({ file, keys: keysIn(await readFile(file)) }).toEqual({ file, keys: [] });
	}
}

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
}
