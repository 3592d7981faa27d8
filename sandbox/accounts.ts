import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from './database.ts';
import { KeyRefused } from './failure.ts';
import type { ServiceName } from './recorder.ts';

export interface NewAccount {
	email: string;
	/** Default: a random one. */
	apiKey?: string | undefined;
}

export interface Account {
	id: number;
	email: string;
	/** Epoch milliseconds. */
	registered: number;
	/** Of the store. */
	balance: number;
}

/** The accounts of a service, and their API keys. */
export class Accounts {
	readonly #database: DatabaseSync;
	readonly #service: ServiceName;
	readonly #find;

	constructor(database: DatabaseSync, service: ServiceName) {
		this.#database = database;
		this.#service = service;
		this.#find = database.prepare('SELECT id FROM accounts WHERE service = ? AND api_key = ?');
	}

	/** @param now epoch milliseconds */
	register(
		{ email, apiKey = randomKey() }: NewAccount,
		now: number,
	): { id: number; apiKey: string } {
		const { lastInsertRowid } = this.#database
			.prepare(
				'INSERT INTO accounts (service, email, api_key, registered, balance) VALUES (?, ?, ?, ?, 0)',
			)
			.run(this.#service, email, apiKey, now);
		return { id: Number(lastInsertRowid), apiKey };
	}

	/** The ID of the account with that email. */
	idWith(email: string): number | undefined {
		const row = this.#database
			.prepare('SELECT id FROM accounts WHERE service = ? AND email = ?')
			.get(this.#service, email);
		return row && integer(row, 'id');
	}

	get(id: number): Account {
		const row = this.#database.prepare('SELECT * FROM accounts WHERE id = ?').get(id) ?? {};
		return {
			id,
			email: text(row, 'email'),
			registered: integer(row, 'registered'),
			balance: integer(row, 'balance'),
		};
	}

	changeEmail(id: number, email: string): void {
		this.#database.prepare('UPDATE accounts SET email = ? WHERE id = ?').run(email, id);
	}

	changeBalance(id: number, balance: number): void {
		this.#database.prepare('UPDATE accounts SET balance = ? WHERE id = ?').run(balance, id);
	}

	/** Gives the account a new key; the old one is refused from now on. */
	rotateKey(id: number): string {
		const key = randomKey();
		this.#database.prepare('UPDATE accounts SET api_key = ? WHERE id = ?').run(key, id);
		return key;
	}

	/** The id of the account that a key belongs to. */
	idOf(key: string | undefined): number {
		const row = key ? this.#find.get(this.#service, key) : undefined;
		if (!row) throw new KeyRefused();
		return integer(row, 'id');
	}
}

const randomKey = (): string => randomBytes(8).toString('hex');

/** The part of an email before the @. */
export const usernameOf = ({ email }: Account): string => email.replace(/@.*/, '');
