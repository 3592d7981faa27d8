import { integer, text } from '../database.ts';
import { Failure } from '../failure.ts';
import { readText } from '../input.ts';
import { hashPassword } from '../keys.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function checkEmail(email: string): void {
	if (!EMAIL.test(email)) throw new Failure(422, 'email must be an email address.');
}

export function checkPassword(password: string): void {
	if (password.trim() === '') throw new Failure(422, 'password must not be empty.');
}

export function accountRoutes({ database, baseUrl }: LinkContext): LinkRoute[] {
	const find = database.prepare('SELECT * FROM link_accounts WHERE id = ?');
	const holder = database.prepare('SELECT id FROM link_accounts WHERE email = ?');
	const setEmail = database.prepare('UPDATE link_accounts SET email = ? WHERE id = ?');
	const setPassword = database.prepare('UPDATE link_accounts SET password_hash = ? WHERE id = ?');

	return [
		{
			method: 'GET',
			path: '/api/account',
			answer({ accountId }) {
				const row = find.get(accountId);
				if (!row) throw new Failure(404, 'The account does not exist any more.');
				return {
					data: {
						id: integer(row, 'id'),
						email: text(row, 'email'),
						username: text(row, 'username'),
						avatar: `${baseUrl()}/avatar/${integer(row, 'id')}.svg`,
						status: text(row, 'status'),
						expires: text(row, 'expires'),
						registered: text(row, 'registered'),
					},
				};
			},
		},
		{
			method: 'PUT',
			path: '/api/account/update',
			answer({ accountId, body }) {
				const email = readText(body, 'email')?.trim();
				const password = readText(body, 'password');
				if (email === undefined && password === undefined) {
					throw new Failure(422, 'email or password is required.');
				}
				if (email !== undefined) {
					checkEmail(email);
					const other = holder.get(email);
					if (other && integer(other, 'id') !== accountId) {
						throw new Failure(409, 'This email belongs to another account.');
					}
				}
				if (password !== undefined) checkPassword(password);
				if (email !== undefined) setEmail.run(email, accountId);
				if (password !== undefined) setPassword.run(hashPassword(password), accountId);
				return { message: 'The account has been updated.' };
			},
		},
	];
}
