import { DATETIME, inEveryDialect, pairs } from '../support.ts';

inEveryDialect((stage) => {
	const rows = [{}, {}];

	test('get gives the account of the key for each row, one request each', async () => {
		const result = await stage.link('account.get', {}, { rows });
		const account = {
			id: stage.linkAccount.id,
			email: stage.email,
			username: stage.email.split('@')[0],
			avatar: `${stage.sandbox.linkUrl}/avatar/${stage.linkAccount.id}.svg`,
			status: 'pro',
			expires: DATETIME,
			registered: DATETIME,
		};
		expect(result.json).toEqual([account, account]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		const request = stage.expected('link', 'GET /api/account');
		expect(result.requests).toEqual([request, request]);
	});

	test('update sends the email of each row alone, and changes nothing else', async () => {
		const emails = [
			`${stage.unique('first')}@example.com`,
			`${stage.unique('second')}@example.com`,
		];
		const result = await stage.link(
			'account.update',
			{ updateFields: { email: '={{ $json.email }}' } },
			{ rows: emails.map((email) => ({ email })) },
		);
		const done = { success: true, message: 'The account has been updated.' };
		expect(result.json).toEqual([done, done]);
		expect(pairs(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.requests).toEqual(
			emails.map((email) => stage.expected('link', 'PUT /api/account/update', { body: { email } })),
		);
		const account = await stage.api('GET /api/account');
		expect(account.data).toMatchObject({
			email: emails[1],
			username: stage.email.split('@')[0],
		});
	});

	test('update sends a password as it was typed, and the key stays good', async () => {
		const result = await stage.link('account.update', {
			updateFields: { password: 'correct horse battery' },
		});
		expect(result.requests).toEqual([
			stage.expected('link', 'PUT /api/account/update', {
				body: { password: 'correct horse battery' },
			}),
		]);
		expect((await stage.link('account.get')).error).toBeUndefined();
	});

	test('update without a field, or with an empty one, is refused before any request', async () => {
		const nothing = await stage.link('account.update', { updateFields: {} });
		expect(nothing.error?.message).toBe('There is nothing to update');
		const empty = await stage.link('account.update', { updateFields: { email: '' } });
		expect(empty.error?.message).toBe('Email is empty');
		expect([...nothing.requests, ...empty.requests]).toEqual([]);
	});
});
