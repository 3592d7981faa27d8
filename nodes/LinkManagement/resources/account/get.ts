import type { Operation } from '../../../shared/resources';
import { linkOperation, promisedRecord, record } from '../../service';

export const accountGet: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get the account',
	description: 'Get the account that owns the API key',
	request: { method: 'GET', url: '/api/account' },
	pagination: linkOperation({ results: (body) => [record(promisedRecord(body, 'data'))] }),
	fields: [],
};
