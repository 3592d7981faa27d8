import type { IDataObject } from 'n8n-workflow';

import { inBody, updateFields } from '../../../shared/fields';
import { labelOf } from '../../../shared/path';
import type { Operation } from '../../../shared/resources';
import { changes, requiredText } from '../../../shared/values';
import { done, linkOperation } from '../../service';

export const accountUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update the account',
	description: 'Change the email address or the password of the account that owns the API key',
	request: { method: 'PUT', url: '/api/account/update' },
	pagination: linkOperation({ body: accountBody, results: done }),
	fields: [
		updateFields([
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				placeholder: 'e.g. name@email.com',
				default: '',
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
				routing: inBody('password'),
			},
		]),
	],
};

/** An account has an email address and a password, so neither can be cleared. */
function accountBody(body: IDataObject): IDataObject {
	const texts: IDataObject = {};
	for (const [name, value] of Object.entries(changes(body))) {
		texts[name] = requiredText(labelOf(name), value);
	}
	return texts;
}
