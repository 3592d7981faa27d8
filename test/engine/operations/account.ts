import type { Sample } from '../operationSample.ts';
import { column, fresh, invalid, serial } from '../operationSample.ts';
import { DATETIME } from '../support.ts';

const DONE = { success: true, message: 'The account has been updated.' };

export const account: Record<string, Sample> = {
	get: {
		kind: 'read',
		request: 'GET /api/account',
		parameters: {},
		rows: fresh(() => ({})),
		output: (_row, { email, linkAccount: { id }, sandbox }) => ({
			id,
			email,
			username: email.split('@')[0],
			avatar: `${sandbox.linkUrl}/avatar/${id}.svg`,
			status: 'pro',
			expires: DATETIME,
			registered: DATETIME,
		}),
	},
	update: {
		kind: 'write',
		request: 'PUT /api/account/update',
		parameters: { updateFields: { email: column('email') } },
		rows: fresh(() => ({ email: `owner-${serial()}@example.com` })),
		body: ({ email }) => ({ email }),
		output: DONE,
		// An account has one address: it tells which row came last.
		async written(stage, rows) {
			const { data } = await stage.api('GET /api/account');
			return rows.findIndex(({ email }) => email === (data as { email: unknown }).email) + 1;
		},
		...invalid('email must be an email address.', {
			row: { email: 'no address' },
			advice: 'Check Email',
		}),
		examples: [
			{
				title: 'sends a password as it was typed, and the key stays good',
				parameters: { updateFields: { password: 'correct horse battery' } },
				body: { password: 'correct horse battery' },
				async then(stage) {
					expect((await stage.link('account.get')).error).toBeUndefined();
				},
			},
		],
	},
};
