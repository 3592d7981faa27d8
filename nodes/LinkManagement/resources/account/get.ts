import type { Operation } from '../../../shared/operations/operation';
import { simplified, simplifyField } from '../../../shared/operations/fields';
import { requireRecord } from '../../../shared/values/json';
import { extraQueryOption } from '../../fields';
import { record } from '../../records';
import { linkOperation } from '../../results';

const MEMBERS = ['id', 'email', 'username', 'status', 'expires'];

export const accountGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description:
		'Return the name, email address, status and expiry of the account that owns the API key',
	request: { method: 'GET', url: '/api/account' },
	pagination: linkOperation({
		results: (body, _request, { parameter }) => [
			simplified(record(requireRecord(body, 'data')), parameter, MEMBERS),
		],
	}),
	fields: [simplifyField, extraQueryOption],
};
