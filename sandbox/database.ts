import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { type Fields, isRecord } from './input.ts';

/** The database of both services: each kind of record has a table with its ID, its account, and all else as JSON. */
export const RECORD_TABLES = [
	'bio_pages',
	'campaigns',
	'channels',
	'domains',
	'items',
	'links',
	'overlays',
	'pixels',
	'purchases',
	'qr_codes',
	'splash_pages',
] as const;
export type RecordTable = (typeof RECORD_TABLES)[number];

// AUTOINCREMENT: an ID is never used twice, so a later record always has a greater one.
const recordTable = (name: string): string => `
CREATE TABLE IF NOT EXISTS ${name} (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	record TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS ${name}_of_account ON ${name} (account_id, id);`;

/** By what links and purchases are found or sorted, among 100,000. */
const SCHEMA = `
${RECORD_TABLES.map(recordTable).join('\n')}
CREATE INDEX IF NOT EXISTS links_by_alias ON links (record ->> 'alias');
CREATE INDEX IF NOT EXISTS links_by_date ON links (account_id, record ->> 'date', id);
CREATE INDEX IF NOT EXISTS links_by_clicks ON links (account_id, record ->> 'clicks', id);
CREATE INDEX IF NOT EXISTS purchases_by_code ON purchases (record ->> 'purchase_code');

CREATE TABLE IF NOT EXISTS accounts (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	service TEXT NOT NULL,
	email TEXT NOT NULL COLLATE NOCASE,
	api_key TEXT NOT NULL,
	registered INTEGER NOT NULL,
	balance REAL NOT NULL,
	UNIQUE (service, email),
	UNIQUE (service, api_key)
);
`;

export type Row = Record<string, SQLOutputValue>;

/** Opens the database and makes its tables; `:memory:` keeps it in memory. */
export function openDatabase(location: string): DatabaseSync {
	const database = new DatabaseSync(location, { timeout: 5_000 });
	// A response is sent only after its write is on the disk, so that a killed server loses nothing that it has confirmed.
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
	database.exec(SCHEMA);
	return database;
}

/** Runs `work` in a transaction, or in the one that is open: either all of its writes happen, or none. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
	if (database.isTransaction) return work();
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}

export function integer(row: Row, column: string): number {
	const value = row[column];
	if (typeof value !== 'number') throw new TypeError(`Column ${column} holds no number`);
	return value;
}

export function text(row: Row, column: string): string {
	const value = row[column];
	if (typeof value !== 'string') throw new TypeError(`Column ${column} holds no text`);
	return value;
}

/** A column that holds an object as JSON. */
export function recordIn(row: Row, column: string): Fields {
	const value: unknown = JSON.parse(text(row, column));
	if (!isRecord(value)) throw new TypeError(`Column ${column} holds no object`);
	return value;
}
