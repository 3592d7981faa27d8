import type { DatabaseSync } from 'node:sqlite';
import { datetime } from './clock.ts';
import { integer, textOrNull } from './database.ts';
import { KeyRefused } from './failure.ts';
import { hashKey, randomKey } from './keys.ts';
import type { ServiceName } from './recorder.ts';

/** API keys of both services: made at registration, replaced by rotation, stored as hashes only. */
export class ApiKeys {
	readonly #find;
	readonly #add;
	readonly #remove;
	readonly #expire;

	constructor(database: DatabaseSync) {
		this.#find = database.prepare(
			'SELECT account_id, expires FROM api_keys WHERE hash = ? AND service = ?',
		);
		this.#add = database.prepare(
			'INSERT INTO api_keys (hash, service, account_id) VALUES (?, ?, ?)',
		);
		this.#remove = database.prepare('DELETE FROM api_keys WHERE service = ? AND account_id = ?');
		this.#expire = database.prepare(
			'UPDATE api_keys SET expires = ? WHERE service = ? AND account_id = ?',
		);
	}

	/** Replaces the account's key with the given one, or with a random one. */
	rotate(service: ServiceName, accountId: number, key = randomKey()): string {
		this.#remove.run(service, accountId);
		this.#add.run(hashKey(key), service, accountId);
		return key;
	}

	/** Makes the account's key expire at a time in epoch milliseconds. */
	expire(service: ServiceName, accountId: number, at: number): void {
		this.#expire.run(datetime(at), service, accountId);
	}

	/** The account that a key belongs to at `now`. */
	accountOf(service: ServiceName, key: string | undefined, now: number): number {
		if (!key) throw new KeyRefused('An API key is required.');
		const row = this.#find.get(hashKey(key), service);
		if (!row) throw new KeyRefused('The API key is not valid.');
		const expires = textOrNull(row, 'expires');
		if (expires !== null && expires <= datetime(now)) {
			throw new KeyRefused('The API key has expired.');
		}
		return integer(row, 'account_id');
	}
}
