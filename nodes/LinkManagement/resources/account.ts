// The account that owns the API key (document: "Account", "Account update body").

import type { Operation } from '../../shared/operations/operation';
import { inBody } from '../../shared/operations/requestFields';
import { parseSecret } from '../../shared/values/input';
import { requireRecord } from '../../shared/values/json';
import { extraQueryOption, textField, updateFields } from '../resourceFields';
import { record } from '../records';
import { change } from '../writeResults';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description:
		'Return the name, email address, status and expiry of the account that owns the API key',
	request: { method: 'GET', url: '/api/account' },
	toItems: (body) => [record(requireRecord(body, 'data'))],
	fields: [extraQueryOption],
};

export const update: Operation = {
	...change('/api/account/update'),
	action: 'Update account',
	description:
		'Change the email address or password of the account, and return the message of the service',
	fields: [
		updateFields([
			{
				...textField('Email', 'email', 'name@email.com'),
				description: 'The new email address of the account',
				routing: inBody('email'),
			},
			{
				displayName: 'Password',
				name: 'password',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description: 'The new password of the account. The API key stays the same.',
				routing: inBody('password', parseSecret),
			},
		]),
	],
};
