import type { Operation } from '../../../shared/operations/nodeProperties';
import { requireRecord } from '../../../shared/values/json';
import { accountRecord } from '../../records';
import { storeOperation } from '../../results';

export const accountGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description: 'Get the details of the account that owns the API key',
	request: { method: 'GET', url: '/api/account/details' },
	pagination: storeOperation({ results: (body) => [accountRecord(requireRecord(body, 'data'))] }),
	fields: [],
};
