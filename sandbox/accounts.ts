import { randomBytes } from 'node:crypto';
import { KeyRefused } from './failure.ts';
import type { Fields } from './fields.ts';
import type { Records } from './records.ts';

/** The accounts of a service, and their API keys. */

export interface NewAccount {
	email: string;
	/** Default: a random one. */
	apiKey?: string | undefined;
}

/** @param now epoch milliseconds */
export function register(
	accounts: Records,
	{ email, apiKey = randomKey() }: NewAccount,
	now: number,
): { id: number; apiKey: string } {
	// The balance is that of a store.
	const id = accounts.add(0, { email, apiKey, registered: now, balance: 0 });
	return { id, apiKey };
}

export const randomKey = (): string => randomBytes(8).toString('hex');

/** @throws KeyRefused if no account has this key */
export function idOfKey(accounts: Records, key = ''): number {
	const account = accounts.first("record ->> 'apiKey' = ?", key);
	if (!account) throw new KeyRefused();
	return Number(account.id);
}

/** The part of an email before the @. */
export const usernameOf = ({ email }: Fields): string => String(email).replace(/@.*/, '');
