import { integer, text } from '../database.ts';
import { Failure } from '../failure.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

export function accountRoutes({ database, baseUrl }: StoreContext): StoreRoute[] {
	const find = database.prepare('SELECT * FROM store_accounts WHERE id = ?');

	return [
		{
			method: 'GET',
			path: '/api/account/details',
			answer({ accountId }) {
				const row = find.get(accountId);
				if (!row) throw new Failure(404, 'Invalid request');
				const socialLinks: unknown = JSON.parse(text(row, 'social_links'));
				const media = `${baseUrl()}/media/accounts/${integer(row, 'id')}`;
				return {
					data: {
						name: {
							firstname: text(row, 'firstname'),
							lastname: text(row, 'lastname'),
							full_name: `${text(row, 'firstname')} ${text(row, 'lastname')}`,
						},
						username: text(row, 'username'),
						email: text(row, 'email'),
						balance: row.balance,
						currency: text(row, 'currency'),
						profile: {
							heading: text(row, 'heading'),
							description: text(row, 'description'),
							contact: { email: text(row, 'email') },
							social_links: socialLinks,
							media: { avatar: `${media}/avatar.svg`, cover: `${media}/cover.svg` },
						},
						registered_at: text(row, 'registered_at'),
					},
				};
			},
		},
	];
}
