import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { KEYS } from './keys.ts';

/** What n8n keeps beside the keys: a search that does not find it looks in the wrong place. */
export const BESIDE_KEYS = 'Link Management account';

/**
 * Looks for the keys of all suites in what n8n has stored and what the suites leave for people.
 *
 * @throws Error naming each place where one can be read
 */
export async function expectNoKeys(n8nFolder: string, results: string): Promise<void> {
	const database = join(n8nFolder, '.n8n', 'database.sqlite');
	const places = new Map<string, Buffer>();
	for (const file of [...(await filesIn(n8nFolder)), ...(await filesIn(results))]) {
		places.set(file, await readFile(file));
	}
	// In the file, a long value is in several parts.
	for (const [table, rows] of rowsIn(database)) places.set(table, Buffer.from(rows));

	const found = [...places].flatMap(([place, content]) =>
		keysIn(content).map((name) => `${name} in ${place}`),
	);
	if (found.length > 0) throw new Error(`Keys can be read:\n${found.join('\n')}`);
	// The file of the database, or its journal beside it.
	for (const place of [database, 'credentials_entity']) {
		const of = [...places].filter(([each]) => each.startsWith(place));
		if (of.some(([, content]) => content.includes(BESIDE_KEYS))) continue;
		throw new Error(`The search for keys has missed ${place}`);
	}
}

/** The names of the keys that can be read in it, as they are or in Base64. */
export function keysIn(content: Buffer): string[] {
	const isIn = (key: string) =>
		content.includes(key) ||
		content.includes(Buffer.from(key).toString('base64').replaceAll('=', ''));
	return Object.entries(KEYS)
		.filter(([, key]) => isIn(key))
		.map(([name]) => name);
}

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
}

/** The rows of each table, as JSON. */
function rowsIn(file: string): Array<[table: string, rows: string]> {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
		return tables.map(({ name }) => {
			const rows = database.prepare(`SELECT * FROM "${String(name)}"`).all();
			return [String(name), JSON.stringify(rows)];
		});
	} finally {
		database.close();
	}
}
