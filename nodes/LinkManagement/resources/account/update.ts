import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody, shownFor } from '../../../shared/fields';
import { labelOf } from '../../../shared/path';
import { changes, requiredText } from '../../../shared/values';

export const accountUpdateFields: INodeProperties[] = [
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor({ resource: 'account', operations: ['update'] }),
		options: [
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
		],
	},
];

/** An account has an email address and a password, so neither can be cleared. */
export function accountBody(body: IDataObject): IDataObject {
	const texts: IDataObject = {};
	for (const [name, value] of Object.entries(changes(body))) {
		texts[name] = requiredText(labelOf(name), value);
	}
	return texts;
}
