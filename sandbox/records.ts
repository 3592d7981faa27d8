import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { integer, recordIn, type RecordTable, type Row } from './database.ts';
import { unknownId } from './failure.ts';
import type { Fields } from './input.ts';

/** The records of one kind, with what the service shows of them and what it keeps to itself. */
export class Records {
	readonly table: RecordTable;
	/** In messages: `QR code`. */
	readonly what: string;
	readonly #database: DatabaseSync;
	readonly #insert;
	readonly #find;
	readonly #update;
	readonly #remove;

	constructor(database: DatabaseSync, table: RecordTable, what: string) {
		this.table = table;
		this.what = what;
		this.#database = database;
		this.#insert = database.prepare(`INSERT INTO ${table} (account_id, record) VALUES (?, ?)`);
		this.#find = database.prepare(`SELECT * FROM ${table} WHERE account_id = ? AND id = ?`);
		this.#update = database.prepare(`UPDATE ${table} SET record = ? WHERE id = ?`);
		this.#remove = database.prepare(`DELETE FROM ${table} WHERE account_id = ? AND id = ?`);
	}

	/** Stores a record and returns its id. */
	add(accountId: number, record: Fields): number {
		return Number(this.#insert.run(accountId, JSON.stringify(record)).lastInsertRowid);
	}

	/** The account's record with that id. @throws Failure if it has none */
	get(accountId: number, id: number): Fields {
		const row = this.#find.get(accountId, id);
		if (!row) throw unknownId(this.what, id);
		return recordOf(row);
	}

	/** A record, of any account, of which an SQL condition is true. */
	first(condition: string, ...values: SQLInputValue[]): Fields | undefined {
		const row = this.#database
			.prepare(`SELECT * FROM ${this.table} WHERE ${condition} LIMIT 1`)
			.get(...values);
		return row && recordOf(row);
	}

	/** Changes the members of a record that are not undefined, and returns it. */
	change(record: Fields, changes: Fields): Fields {
		const given = Object.entries(changes).filter(([, value]) => value !== undefined);
		const changed = { ...record, ...Object.fromEntries(given) };
		const { id, ...stored } = changed;
		this.#update.run(JSON.stringify(stored), Number(id));
		return changed;
	}

	/** @throws Failure if the account has no such record */
	remove(accountId: number, id: number): void {
		this.get(accountId, id);
		this.#remove.run(accountId, id);
	}
}

export const recordOf = (row: Row): Fields => ({
	id: integer(row, 'id'),
	...recordIn(row, 'record'),
});
