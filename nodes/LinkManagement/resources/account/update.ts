import type { Operation } from '../../../shared/operations/operation';
import { inBody } from '../../../shared/operations/sentFields';
import { secret } from '../../../shared/values/input';
import { textField, updateFields } from '../../fields';
import { linkOperation, updateResult } from '../../results';

export const accountUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update account',
	description:
		'Change the email address or password of the account, and return the message of the service',
	request: { method: 'PUT', url: '/api/account/update' },
	pagination: linkOperation({ results: updateResult }),
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
				routing: inBody('password', secret),
			},
		]),
	],
};
