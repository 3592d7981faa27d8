import { type Account, type Accounts, usernameOf } from '../accounts.ts';
import { datetime } from '../clock.ts';
import { bodyOf, EMAIL, type Fields, TEXT, textIn } from '../input.ts';
import type { LinkContext, LinkRoute } from './routes.ts';

const YEAR_MS = 365 * 24 * 3600 * 1000;

export function accountRoutes({ baseUrl }: LinkContext, accounts: Accounts): LinkRoute[] {
	const record = (account: Account): Fields => ({
		id: account.id,
		email: account.email,
		username: usernameOf(account),
		avatar: `${baseUrl()}/avatar/${account.id}.svg`,
		status: 'pro',
		expires: datetime(account.registered + YEAR_MS),
		registered: datetime(account.registered),
	});

	return [
		{
			method: 'GET',
			path: '/api/account',
			answer: ({ accountId }) => ({ data: record(accounts.get(accountId)) }),
		},
		{
			method: 'PUT',
			path: '/api/account/update',
			body: bodyOf({ email: EMAIL, password: TEXT }),
			answer({ accountId, body }) {
				const email = textIn(body, 'email');
				if (email) accounts.changeEmail(accountId, email);
				return { message: 'The account has been updated.' };
			},
		},
	];
}
