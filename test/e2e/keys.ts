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
	const stored: Array<[place: string, content: Buffer]> = dump
		? [['rows of PostgreSQL', dump]]
		: [];
	const files: Array<[place: string, content: Buffer]> = [];
	for (const folder of folders) {
		for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
			if (!entry.isFile()) continue;
			const path = join(entry.parentPath, entry.name);
			files.push([path, readFileSync(path)]);
			// In the file itself, a long value is in several parts.
			if (entry.name === 'database.sqlite') stored.push([`rows of ${path}`, rowsIn(path)]);
		}
	}
	const isIn = (content: Buffer, key: string) =>
		content.includes(key) ||
		content.includes(Buffer.from(key).toString('base64').replaceAll('=', ''));
	const found = [...stored, ...files].flatMap(([place, content]) =>
		Object.entries(KEYS)
			.filter(([, key]) => isIn(content, key))
			.map(([name]) => `${name} in ${place}`),
	);
	if (found.length > 0) throw new Error(`Keys can be read:\n${found.join('\n')}`);
	if (!stored.some(([, content]) => content.includes(BESIDE_KEYS))) {
		throw new Error('The search for keys has missed what n8n has stored');
	}
}

/** All rows of all tables, as JSON. */
function rowsIn(file: string): Buffer {
	const database = new DatabaseSync(file, { readOnly: true });
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	const rows = tables.map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
	database.close();
	return Buffer.from(JSON.stringify(rows));
}
