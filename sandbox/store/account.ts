import { type Accounts, usernameOf } from '../accounts.ts';
import { isoTimestamp } from '../clock.ts';
import { Failure } from '../failure.ts';
import type { StoreRoute } from './routes.ts';

/** Pictures and clips that nobody serves. */
export const MEDIA = 'https://media.example';

export function accountRoutes(accounts: Accounts): StoreRoute[] {
	return [
		{
			method: 'GET',
			path: '/api/account/details',
			failure: () => new Failure(401, 'Invalid request'),
			answer({ accountId }) {
				const account = accounts.get(accountId);
				const { firstname, lastname, balance } = {
					firstname: 'Robin',
					lastname: 'Vale',
					balance: 0,
					...account.profile,
				};
				return {
					data: {
						name: { firstname, lastname, full_name: `${firstname} ${lastname}` },
						username: usernameOf(account),
						email: account.email,
						balance,
						currency: 'USD',
						profile: {
							heading: 'Small tools, well made',
							description: 'Themes, scripts and sounds for web shops.',
							contact: { email: account.email },
							social_links: { facebook: 'robinvale', website: 'https://robinvale.example' },
							media: { avatar: `${MEDIA}/avatar.svg`, cover: `${MEDIA}/cover.svg` },
						},
						registered_at: isoTimestamp(account.registered),
					},
				};
			},
		},
	];
}
