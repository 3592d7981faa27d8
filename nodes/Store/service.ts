import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../shared/http/connection';
import type { Envelope } from '../shared/http/response';
import { textIn } from '../shared/values/json';
import { ACCOUNT } from './account';
import { authenticateStoreRequest } from './authenticate';
import { testKey } from './keyTest';

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
		'Check the API key in the credential. The store may expect it in another place: with a Known Valid Code, the credential test finds it',
	envelopeOf(body: IDataObject): Envelope {
		const message = textIn(body.msg) ?? textIn(body.message);
		if (body.status === 'success') return { outcome: 'success', message };
		return { outcome: body.status === 'error' ? 'failure' : 'unknown', message };
	},
};
