import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { Failure, KeyRefused } from './faults.ts';
import { type Fields, fieldsOf } from './fields.ts';

/** The database of both services: each kind of record has a table with its ID, its account, and all else as JSON. */

/** What messages call a record of each table. */
const TABLES = {
	bioPages: 'bio page',
	campaigns: 'campaign',
	channels: 'channel',
	domains: 'domain',
	items: 'item',
	linkAccounts: 'account',
	links: 'link',
	overlays: 'overlay',
	pixels: 'pixel',
	purchases: 'purchase',
	qrCodes: 'QR code',
	splashPages: 'splash page',
	storeAccounts: 'account',
} as const;
export type Tables = Record<keyof typeof TABLES, Records>;

// AUTOINCREMENT: an ID is never used twice, so a later record always has a greater one.
const recordTable = (name: string): string => `
CREATE TABLE IF NOT EXISTS ${name} (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	account_id INTEGER NOT NULL,
	record TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS ${name}_of_account ON ${name} (account_id, id);`;

/** By what links and purchases are found or sorted, among 100,000; and the ID of the first item. */
const INDEXES = `
CREATE INDEX IF NOT EXISTS links_by_alias ON links (record ->> 'alias' COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS links_by_url ON links (account_id, record ->> 'longurl');
CREATE INDEX IF NOT EXISTS links_by_date ON links (account_id, record ->> 'date', id);
CREATE INDEX IF NOT EXISTS links_by_clicks ON links (account_id, record ->> 'clicks', id);
CREATE INDEX IF NOT EXISTS purchases_by_code ON purchases (record ->> 'purchase_code' COLLATE NOCASE);
INSERT INTO sqlite_sequence (name, seq)
SELECT 'items', 999 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'items');`;

/** Opens the database and makes its tables; `:memory:` keeps it in memory. */
export function openDatabase(location: string): { database: DatabaseSync; tables: Tables } {
	const database = new DatabaseSync(location);
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
	database.exec(Object.keys(TABLES).map(recordTable).join('') + INDEXES);
	const kinds = Object.entries(TABLES);
	const tables = kinds.map(([table, what]) => [table, new Records(database, table, what)]);
	return { database, tables: Object.fromEntries(tables) as Tables };
}

/** Which records of an account a page shows. */
export interface Range {
	/** Columns to sort by; the last of them is unique. */
	order: readonly string[];
	descending: boolean;
	limit: number;
	offset: number;
}

/** An SQL condition, and the values of its placeholders. */
export type Filter = [condition: string, ...values: SQLInputValue[]];

/** The records of one kind. */
export class Records {
	/** In messages: `QR code`. */
	readonly what: string;
	readonly #database: DatabaseSync;
	readonly #table: string;

	constructor(database: DatabaseSync, table: string, what: string) {
		this.#database = database;
		this.#table = table;
		this.what = what;
	}

	#rows(sql: string, ...values: SQLInputValue[]): Array<Record<string, SQLOutputValue>> {
		return this.#database.prepare(sql).all(...values);
	}

	add(accountId: number, record: Fields): number {
		const sql = `INSERT INTO ${this.#table} (account_id, record) VALUES (?, ?) RETURNING id`;
		return Number(this.#rows(sql, accountId, JSON.stringify(record))[0]?.id);
	}

	/** The account's record with that ID, which may come from a path. @throws Failure if it has none */
	get(accountId: number, id: unknown): Fields {
		const record = this.own(accountId, id);
		if (!record) throw new Failure(404, `There is no ${this.what} with the id ${String(id)}.`);
		return record;
	}

	/** The same; undefined for what was deleted or belongs to another account. */
	own(accountId: number, id: unknown): Fields | undefined {
		return this.first('account_id = ? AND id = ?', accountId, Number(id ?? 0));
	}

	/** The record with that ID, of any account. */
	find(id: unknown): Fields | undefined {
		return this.first('id = ?', Number(id));
	}

	/** A record, of any account, of which an SQL condition is true. */
	first(...[condition, ...values]: Filter): Fields | undefined {
		const sql = `SELECT * FROM ${this.#table} WHERE ${condition} LIMIT 1`;
		return this.#rows(sql, ...values).map(recordOf)[0];
	}

	count(accountId: number, [condition, ...values]: Filter = ['TRUE']): number {
		const sql = `SELECT count(*) AS total FROM ${this.#table} WHERE account_id = ? AND ${condition}`;
		return Number(this.#rows(sql, accountId, ...values)[0]?.total);
	}

	page(
		accountId: number,
		{ order, descending, limit, offset }: Range,
		[condition, ...values]: Filter = ['TRUE'],
	): Fields[] {
		const keys = order.map((key) => `${key} ${descending ? 'DESC' : 'ASC'}`).join();
		const from = `${this.#table} WHERE account_id = ? AND ${condition}`;
		const sql = `SELECT * FROM ${from} ORDER BY ${keys} LIMIT ? OFFSET ?`;
		return this.#rows(sql, accountId, ...values, limit, offset).map(recordOf);
	}

	/** Changes members of a record, and returns it. */
	change(id: unknown, changes: Fields): Fields {
		const { id: _id, ...record } = { ...this.find(id), ...changes };
		const sql = `UPDATE ${this.#table} SET record = ? WHERE id = ?`;
		this.#rows(sql, JSON.stringify(record), Number(id));
		return { ...record, id };
	}

	/** Gives a record to another account. */
	move(id: number, accountId: number): void {
		this.#rows(`UPDATE ${this.#table} SET account_id = ? WHERE id = ?`, accountId, id);
	}

	remove(id: unknown): void {
		this.#rows(`DELETE FROM ${this.#table} WHERE id = ?`, Number(id));
	}
}

const recordOf = ({ id, record }: Record<string, SQLOutputValue>): Fields => ({
	id,
	...fieldsOf(JSON.parse(String(record))),
});

/** Makes an account of a service, with its API key. @param registered epoch milliseconds */
export function register(
	accounts: Records,
	{ email, apiKey = randomKey() }: { email: string; apiKey?: string },
	registered: number,
) {
	// The balance is that of a store.
	return { id: accounts.add(0, { email, apiKey, registered, balance: 0 }), apiKey };
}

export const randomKey = (): string => randomBytes(8).toString('hex');

/** @throws if no account has this key */
export function idOfKey(accounts: Records, key = '', refusal: Failure = new KeyRefused()): number {
	const account = accounts.first("record ->> 'apiKey' = ?", key);
	if (!account) throw refusal;
	return Number(account.id);
}

export const usernameOf = ({ email }: Fields): string => String(email).replace(/@.*/, '');
