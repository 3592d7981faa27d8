import type { Operation } from '../../../shared/resources';
import { promisedRecord, storeOperation } from '../../service';

export const accountGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get the account',
	description: 'Get the details of the account that owns the API key',
	request: { method: 'GET', url: '/api/account/details' },
	pagination: storeOperation({ results: (body) => [promisedRecord(body, 'data')] }),
	fields: [],
};
