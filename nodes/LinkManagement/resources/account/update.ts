import type { IDataObject } from 'n8n-workflow';

import { inBody, updateFields } from '../../../shared/operations/fields';
import { labelOf } from '../../../shared/values/path';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requireChanges, requiredText } from '../../../shared/values/text';
import { linkOperation, updateResult } from '../../results';

export const accountUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update the account',
	description: 'Change the email address or the password of the account that owns the API key',
	request: { method: 'PUT', url: '/api/account/update' },
	pagination: linkOperation({ body: accountBody, results: updateResult }),
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
	for (const [name, value] of Object.entries(requireChanges(body))) {
		texts[name] = requiredText(labelOf(name), value);
	}
	return texts;
}
