import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { flag, integer, recordIn, type Row, text } from './database.ts';
import { Failure, KeyRefused } from './failure.ts';
import type { Fields } from './input.ts';
import type { ServiceName } from './recorder.ts';

export interface NewAccount {
	email: string;
	/** Default: a random one. */
	apiKey?: string | undefined;
	/** Members of the store's account that differ from the usual ones. */
	profile?: Fields | undefined;
}

export interface Account {
	id: number;
	email: string;
	/** Epoch milliseconds. */
	registered: number;
	profile: Fields;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The accounts of a service, and their API keys. */
export class Accounts {
	readonly #database: DatabaseSync;
	readonly #table: string;
	readonly #find;

	constructor(database: DatabaseSync, service: ServiceName) {
		this.#database = database;
		this.#table = `${service}_accounts`;
		this.#find = database.prepare(`SELECT * FROM ${this.#table} WHERE api_key = ?`);
	}

	/** @param now epoch milliseconds */
	register(
		{ email, apiKey = randomKey(), profile = {} }: NewAccount,
		now: number,
	): { id: number; apiKey: string } {
		this.#checkEmail(email);
		const { lastInsertRowid } = this.#database
			.prepare(
				`INSERT INTO ${this.#table} (email, api_key, registered, profile) VALUES (?, ?, ?, ?)`,
			)
			.run(email, apiKey, now, JSON.stringify(profile));
		return { id: Number(lastInsertRowid), apiKey };
	}

	hasEmail(email: string): boolean {
		return this.#holderOf(email) !== undefined;
	}

	get(id: number): Account {
		const row = this.#database.prepare(`SELECT * FROM ${this.#table} WHERE id = ?`).get(id) ?? {};
		return {
			id,
			email: text(row, 'email'),
			registered: integer(row, 'registered'),
			profile: recordIn(row, 'profile'),
		};
	}

	changeEmail(id: number, email: string): void {
		this.#checkEmail(email, id);
		this.#database.prepare(`UPDATE ${this.#table} SET email = ? WHERE id = ?`).run(email, id);
	}

	/** Changes members of the store's account. */
	changeProfile(id: number, members: Fields): void {
		const profile = { ...this.get(id).profile, ...members };
		this.#database
			.prepare(`UPDATE ${this.#table} SET profile = ? WHERE id = ?`)
			.run(JSON.stringify(profile), id);
	}

	/** Gives the account a new key; the old one is refused from now on. */
	rotateKey(id: number): string {
		const key = randomKey();
		this.#database
			.prepare(`UPDATE ${this.#table} SET api_key = ?, is_expired = 0 WHERE id = ?`)
			.run(key, id);
		return key;
	}

	/** Makes the account's key expire now. */
	expireKey(id: number): void {
		this.#database.prepare(`UPDATE ${this.#table} SET is_expired = 1 WHERE id = ?`).run(id);
	}

	/** The id of the account that a key belongs to. */
	idOf(key: string | undefined): number {
		const row = key ? this.#find.get(key) : undefined;
		if (!row || flag(row, 'is_expired')) throw new KeyRefused();
		return integer(row, 'id');
	}

	#holderOf(email: string): Row | undefined {
		return this.#database.prepare(`SELECT id FROM ${this.#table} WHERE email = ?`).get(email);
	}

	#checkEmail(email: string, id?: number): void {
		if (!EMAIL.test(email)) throw new Failure(422, 'email must be an email address.');
		const holder = this.#holderOf(email);
		if (holder && integer(holder, 'id') !== id) {
			throw new Failure(409, `The email ${email} belongs to another account.`);
		}
	}
}

const randomKey = (): string => randomBytes(8).toString('hex');

/** The part of an email before the @. */
export const usernameOf = ({ email }: Account): string => email.replace(/@.*/, '');
