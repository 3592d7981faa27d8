import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../shared/answer';
import type { Failure } from '../shared/failure';
import { recordsIn, textIn, withIntegers } from '../shared/json';
import type { OperationPlan, Pagination } from '../shared/operation';
import { oneRequest } from '../shared/operation';
import { promisedList, promisedMember } from '../shared/promised';
import type { Service } from '../shared/service';
import { authenticateStoreRequest } from './authenticate';

/** The store service: its API document under "Response envelope" and "Authentication". */
export const storeService: Service = {
	serviceName: 'the store',
	credentialType: 'storeApi',
	authenticate: authenticateStoreRequest,
	testPath: '/api/account/details',
	/** The only failure of the account details, which take nothing but the key. */
	mayMeanKey: (message) => /\binvalid request\b/i.test(message),
	readEnvelope(body: IDataObject): Envelope {
		const message = textIn(body.msg) ?? textIn(body.message);
		if (body.status === 'success') return { outcome: 'success', message };
		return { outcome: body.status === 'error' ? 'failure' : 'unknown', message };
	},
};

/** An operation of one request. */
export const storeOperation = (plan: OperationPlan): Pagination => oneRequest(storeService, plan);

/** A member that the document promises. Failure: it is not there. */
export const promisedRecord = (body: IDataObject, name: string): IDataObject =>
	promisedMember(body, name, storeService);

/** The items of a list. Failure: there is no list. */
export const promisedItems = (body: IDataObject): IDataObject[] =>
	recordsIn(promisedList(body, 'items', storeService));

/** An item (document: "Item"). */
export const itemRecord = (entry: IDataObject): IDataObject => withIntegers(entry, ['id']);

/** The document lists "No items found" among the errors; it is an empty list. */
export const isEmptyList = ({ kind, message }: Failure): boolean =>
	kind === 'refused' && /\bno items found\b/i.test(message);
