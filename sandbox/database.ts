import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { type Fields, isRecord } from './input.ts';
import { SCHEMA } from './schema.ts';

export type Row = Record<string, SQLOutputValue>;

/** Opens the database of both services and makes its tables; `:memory:` keeps it in memory. */
export function openDatabase(location: string): DatabaseSync {
	const database = new DatabaseSync(location, { timeout: 5_000 });
	database.exec('PRAGMA foreign_keys = ON');
	// A response is sent only after its write is on the disk, so that a killed server loses nothing that it has confirmed.
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
	refuseOtherSchema(database, location);
	database.exec(SCHEMA);
	return database;
}

const VERSION = createHash('sha256').update(SCHEMA).digest().readUInt16BE();

/** A file with other tables would fail at the first request that needs a new one. */
function refuseOtherSchema(database: DatabaseSync, location: string): void {
	const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
	if (version !== 0 && version !== VERSION) {
		throw new Error(`${location} has the tables of another version. Delete it, or use --reset`);
	}
	database.exec(`PRAGMA user_version = ${VERSION}`);
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

export function textOrNull(row: Row, column: string): string | null {
	return row[column] === null ? null : text(row, column);
}

export const flag = (row: Row, column: string): boolean => integer(row, column) === 1;

/** A column that holds an object as JSON. */
export function recordIn(row: Row, column: string): Fields {
	const value: unknown = JSON.parse(text(row, column));
	if (!isRecord(value)) throw new TypeError(`Column ${column} holds no object`);
	return value;
}
