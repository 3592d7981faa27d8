// The account that owns the API key (document: "Account").

import { simplified } from '../../shared/operations/output';
import { simplifyField } from '../../shared/operations/panelFields';
import type { Operation } from '../../shared/operations/operation';
import { requireRecord } from '../../shared/values/json';
import { accountRecord } from '../records';

const SIMPLE_ACCOUNT = ['name', 'username', 'email', 'balance', 'currency'];

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description: 'Return the name, email address and balance of the account that owns the API key',
	request: { method: 'GET', url: '/api/account/details' },
	toItems: (body, _request, { parameters }) => [
		simplified(accountRecord(requireRecord(body, 'data')), parameters, SIMPLE_ACCOUNT),
	],
	fields: [simplifyField],
};
