import type { DatabaseSync } from 'node:sqlite';
import { ApiKeys } from './apiKeys.ts';
import type { Clock } from './clock.ts';
import { integer } from './database.ts';
import { Failure } from './failure.ts';
import { registerLinkAccount } from './link/accounts.ts';
import type { ServiceName } from './recorder.ts';
import { Catalogue } from './store/catalogue.ts';

export interface Registered {
	id: number;
	/** Shown only now: only its hash is stored. */
	apiKey: string;
}

/** The accounts of both services, for people who run a sandbox; they are found by their email. */
export class Accounts {
	readonly #database: DatabaseSync;
	readonly #keys: ApiKeys;
	readonly #clock: Clock;

	constructor(database: DatabaseSync, clock: Clock) {
		this.#database = database;
		this.#keys = new ApiKeys(database);
		this.#clock = clock;
	}

	/** @param password of the link service only; default: none */
	register(service: ServiceName, email: string, password?: string): Registered {
		return service === 'link'
			? registerLinkAccount(this.#database, this.#keys, { email, password }, this.#clock())
			: new Catalogue(this.#database, this.#keys, this.#clock).register({ email });
	}

	/** Gives the account a new key; the old one is refused from now on. */
	rotateKey(service: ServiceName, email: string): Registered {
		const id = this.#idOf(service, email);
		return { id, apiKey: this.#keys.rotate(service, id) };
	}

	/** Makes the account's key expire now. */
	expireKey(service: ServiceName, email: string): { id: number } {
		const id = this.#idOf(service, email);
		this.#keys.expire(service, id, this.#clock());
		return { id };
	}

	#idOf(service: ServiceName, email: string): number {
		const table = service === 'link' ? 'link_accounts' : 'store_accounts';
		const row = this.#database.prepare(`SELECT id FROM ${table} WHERE email = ?`).get(email);
		if (!row) throw new Failure(404, `There is no ${service} account of ${email}.`);
		return integer(row, 'id');
	}
}
