import { createHash, randomBytes, randomInt, scryptSync } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

// Cheap, about 10 ms, because the event loop is blocked meanwhile.
const SCRYPT_COST = { N: 4096 };

export const randomKey = (): string => randomBytes(24).toString('hex');

/** Random letters and digits, for aliases and codes in URLs. */
export const randomCode = (length: number): string =>
	Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');

/** A key is random, so it cannot be guessed from a plain hash in a stolen database. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** `salt:hash`, both hexadecimal. */
export function hashPassword(password: string): string {
	const salt = randomBytes(16);
	return `${salt.toString('hex')}:${scryptSync(password, salt, 32, SCRYPT_COST).toString('hex')}`;
}
