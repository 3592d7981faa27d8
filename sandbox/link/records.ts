import type { DatabaseSync } from 'node:sqlite';
import { integer, recordIn } from '../database.ts';
import type { Fields } from '../input.ts';
import type { RecordTable } from '../schema.ts';
import { pageReader } from './pagination.ts';
import { type ActionRoute, idIn, type ListRoute, unknownId } from './routes.ts';

/** The records of one kind. Each is stored as JSON, with what the service shows and what it keeps to itself. */
export class Records {
	readonly #database: DatabaseSync;
	readonly #table: RecordTable;
	/** In messages: `QR code`. */
	readonly #what: string;

	constructor(database: DatabaseSync, table: RecordTable, what: string) {
		this.#database = database;
		this.#table = table;
		this.#what = what;
	}

	/** Stores a record and returns its id. */
	add(accountId: number, record: Fields): number {
		const { lastInsertRowid } = this.#database
			.prepare(`INSERT INTO ${this.#table} (account_id, record) VALUES (?, ?)`)
			.run(accountId, JSON.stringify(record));
		return Number(lastInsertRowid);
	}

	/** The account's record with that id. @throws Failure if it has none */
	get(accountId: number, id: number): Fields {
		const row = this.#database
			.prepare(`SELECT * FROM ${this.#table} WHERE account_id = ? AND id = ?`)
			.get(accountId, id);
		if (!row) throw unknownId(this.#what, id);
		return { id, ...recordIn(row, 'record') };
	}

	/** The id of the record, of any account, whose member has one of these values. */
	idWith(member: string, ...values: string[]): number | undefined {
		const row = this.#database
			.prepare(
				`SELECT id FROM ${this.#table} WHERE record ->> ? IN (${values.map(() => '?').join()})`,
			)
			.get(member, ...values);
		return row && integer(row, 'id');
	}

	/** Changes the members that are not undefined, and returns the record. */
	change(accountId: number, id: number, changes: Fields): Fields {
		const given = Object.entries(changes).filter(([, value]) => value !== undefined);
		const changed = { ...this.get(accountId, id), ...Object.fromEntries(given) };
		const { id: _id, ...record } = changed;
		this.#database
			.prepare(`UPDATE ${this.#table} SET record = ? WHERE id = ?`)
			.run(JSON.stringify(record), id);
		return changed;
	}

	/** The list endpoint; `shown` is what it shows of a record, the `index`-th of its page. */
	list(
		path: string,
		list: string,
		shown: (record: Fields, index: number) => Fields = (record) => record,
	): ListRoute {
		const where = `FROM ${this.#table} WHERE account_id = ?`;
		const count = this.#database.prepare(`SELECT count(*) AS total ${where}`);
		const read = pageReader(this.#database, `SELECT * ${where}`, ['id']);
		return {
			method: 'GET',
			path,
			list,
			total: ({ accountId }) => integer(count.get(accountId) ?? {}, 'total'),
			records: ({ accountId }, query) =>
				read([accountId], query).map((row, index) =>
					shown({ id: integer(row, 'id'), ...recordIn(row, 'record') }, index),
				),
		};
	}

	/** The endpoint that deletes a record. */
	deletion(path: string): ActionRoute {
		const remove = this.#database.prepare(
			`DELETE FROM ${this.#table} WHERE account_id = ? AND id = ?`,
		);
		return {
			method: 'DELETE',
			path,
			answer: (call) => {
				const id = idIn(call, 'id', this.#what);
				if (remove.run(call.accountId, id).changes === 0) throw unknownId(this.#what, id);
				return { message: `The ${this.#what} has been deleted.` };
			},
		};
	}
}
