import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../shared/http/connection';
import type { Envelope } from '../shared/http/response';
import { textIn } from '../shared/values/json';
import { ACCOUNT } from './account';
import { authenticateStoreRequest } from './authenticate';
import { testKey } from './proveKey';

/** The store service: its API document under "Response envelope" and "Authentication". */
export const storeService: Service = {
	serviceName: 'the store',
	credentialType: 'storeApi',
	authenticate: authenticateStoreRequest,
	documentedLimit: 0,
	testPath: ACCOUNT.path,
	testKey,
	/** The only failure of the account details, which take nothing but the key. */
	keyMessage: /^invalid request\W*$/i,
	keyAdvice:
		'Check the API key in the credential, and Send API Key In: the store may expect the key in another place',
	envelopeOf(body: IDataObject): Envelope {
		const message = textIn(body.msg) ?? textIn(body.message);
		if (body.status === 'success') return { outcome: 'success', message };
		return { outcome: body.status === 'error' ? 'failure' : 'unknown', message };
	},
};
