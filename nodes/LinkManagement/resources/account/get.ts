import type { Operation } from '../../../shared/operations/nodeProperties';
import { requireRecord } from '../../../shared/values/json';
import { record } from '../../records';
import { linkOperation } from '../../results';

export const accountGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description: 'Get the account that owns the API key',
	request: { method: 'GET', url: '/api/account' },
	pagination: linkOperation({ results: (body) => [record(requireRecord(body, 'data'))] }),
	fields: [],
};
