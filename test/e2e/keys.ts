import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { DEMO } from '../../sandbox/demo.ts';
import { DEMO_OWNER } from '../n8n-host/instance.ts';

/** Every API key and password that the suites enter into n8n. After a suite, each is looked for. */
export const KEYS = {
	link: DEMO.link.apiKey,
	store: DEMO.store.apiKey,
	owner: DEMO_OWNER.password,
	model: 'scripted-model-key-0123456789',
	googleSecret: 'google-client-secret-0123456789',
	google: 'google-access-token-0123456789',
	assistant: 'assistant-bearer-token-0123456789',
	support: 'support-form-password-0123456789',
	/** One that no service knows */
	mistyped: 'mistyped-key-0123456789',
} as const;

/** What n8n keeps beside the keys: a search that does not find it looks in the wrong place. */
const BESIDE_KEYS = DEMO_OWNER.email;

/**
 * Looks for the keys in what n8n has stored, in its log, and in what the suites leave for people.
 *
 * @param dump what n8n has stored where that is no file of its own
 * @throws Error naming each place where one can be read, as it is or in Base64
 */
export function expectNoKeys(folders: string[], dump?: Buffer): void {
	const places = new Map<string, Buffer>();
	if (dump !== undefined) places.set('rows of PostgreSQL', dump);
	for (const folder of folders) {
		const files = readdirSync(folder, { recursive: true, withFileTypes: true });
		for (const file of files.filter((entry) => entry.isFile())) {
			const path = join(file.parentPath, file.name);
			places.set(path, readFileSync(path));
			// In the file itself, a long value is in several parts.
			if (file.name === 'database.sqlite') places.set(`rows of ${path}`, rowsIn(path));
		}
	}
	const isIn = (content: Buffer, key: string) =>
		content.includes(key) ||
		content.includes(Buffer.from(key).toString('base64').replaceAll('=', ''));
	const found = [...places].flatMap(([place, content]) =>
		Object.entries(KEYS)
			.filter(([, key]) => isIn(content, key))
			.map(([name]) => `${name} in ${place}`),
	);
	if (found.length > 0) throw new Error(`Keys can be read:\n${found.join('\n')}`);
	const isComplete = [...places].some(
		([place, content]) => place.startsWith('rows of ') && content.includes(BESIDE_KEYS),
	);
	if (!isComplete) throw new Error('The search for keys has missed what n8n has stored');
}

/** All rows of all tables, as JSON. */
function rowsIn(file: string): Buffer {
	const database = new DatabaseSync(file, { readOnly: true });
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	const rows = tables.map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
	database.close();
	return Buffer.from(JSON.stringify(rows));
}
