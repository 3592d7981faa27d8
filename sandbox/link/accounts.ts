import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeys } from '../apiKeys.ts';
import { datetime } from '../clock.ts';
import { transaction } from '../database.ts';
import { Failure } from '../failure.ts';
import { hashPassword } from '../keys.ts';
import { freeUsername } from '../usernames.ts';
import { checkEmail, checkPassword } from './account.ts';

/** In place of a hash, for accounts that only programs use: hashing is slow on purpose. */
const NO_PASSWORD = '';

const YEAR_MS = 365 * 24 * 3600 * 1000;

export interface NewLinkAccount {
	email: string;
	/** Default: none, and only the key opens the account. */
	password?: string | undefined;
	/** Default: a random one. */
	apiKey?: string | undefined;
}

/** Registers an account of the link service, and makes its key. `now` in epoch milliseconds. */
export function registerLinkAccount(
	database: DatabaseSync,
	keys: ApiKeys,
	{ email, password, apiKey }: NewLinkAccount,
	now: number,
): { id: number; apiKey: string } {
	checkEmail(email);
	if (password !== undefined) checkPassword(password);
	const passwordHash = password === undefined ? NO_PASSWORD : hashPassword(password);
	return transaction(database, () => {
		if (database.prepare('SELECT id FROM link_accounts WHERE email = ?').get(email)) {
			throw new Failure(409, `${email} is already registered.`);
		}
		const { lastInsertRowid } = database
			.prepare(
				`INSERT INTO link_accounts (email, username, password_hash, status, expires, registered)
				VALUES (?, ?, ?, 'pro', ?, ?)`,
			)
			.run(
				email,
				freeUsername(database, 'link_accounts', email),
				passwordHash,
				datetime(now + YEAR_MS),
				datetime(now),
			);
		const id = Number(lastInsertRowid);
		return { id, apiKey: keys.rotate('link', id, apiKey) };
	});
}
