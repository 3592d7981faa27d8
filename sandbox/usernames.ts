import type { DatabaseSync } from 'node:sqlite';
import { nonEmpty } from './input.ts';

/** The part of an email before the @, with a number if it is taken. */
export function freeUsername(
	database: DatabaseSync,
	table: 'link_accounts' | 'store_accounts',
	email: string,
): string {
	const [local = ''] = email.split('@');
	const name = nonEmpty(local.replace(/[^A-Za-z0-9._-]/g, '')) ?? 'user';
	const holder = database.prepare(`SELECT id FROM ${table} WHERE username = ?`);
	if (!holder.get(name)) return name;
	let number = 2;
	while (holder.get(`${name}${number}`)) number += 1;
	return `${name}${number}`;
}
