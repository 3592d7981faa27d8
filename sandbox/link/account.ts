import { usernameOf } from '../accounts.ts';
import { datetime } from '../clock.ts';
import { bodyOf, TEXT } from '../fields.ts';
import type { Tables } from '../records.ts';
import type { LinkRoutes } from './routes.ts';

const YEAR_MS = 365 * 24 * 3600 * 1000;

export const accountRoutes = ({ linkAccounts }: Tables): LinkRoutes => ({
	'GET /api/account': {
		answer({ accountId, baseUrl }) {
			const account = linkAccounts.get(0, accountId);
			const registered = Number(account.registered);
			return {
				data: {
					id: accountId,
					email: account.email,
					username: usernameOf(account),
					avatar: `${baseUrl}/avatar/${accountId}.svg`,
					status: 'pro',
					expires: datetime(registered + YEAR_MS),
					registered: datetime(registered),
				},
			};
		},
	},
	'PUT /api/account/update': {
		body: bodyOf({ email: { ...TEXT, format: 'email' }, password: TEXT }),
		answer({ accountId, body: { email } }) {
			if (email) linkAccounts.change(accountId, { email });
			return { message: 'The account has been updated.' };
		},
	},
});
