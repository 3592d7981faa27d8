import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeys } from '../apiKeys.ts';
import { datetime } from '../clock.ts';
import { transaction } from '../database.ts';
import { Failure } from '../failure.ts';
import { hashPassword, randomKey } from '../keys.ts';
import { freeUsername } from '../usernames.ts';
import { checkEmail, checkPassword } from './account.ts';

const YEAR_MS = 365 * 24 * 3600 * 1000;

export interface NewLinkAccount {
	email: string;
	/** Default: a random one. */
	password?: string | undefined;
	/** Default: a random one. */
	apiKey?: string | undefined;
}

/** Registers an account of the link service; its key is made with it. `now` in epoch milliseconds. */
export function registerLinkAccount(
	database: DatabaseSync,
	keys: ApiKeys,
	{ email, password = randomKey(), apiKey }: NewLinkAccount,
	now: number,
): { id: number; apiKey: string } {
	checkEmail(email);
	checkPassword(password);
	const passwordHash = hashPassword(password);
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
