import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../shared/http/connection';
import type { Envelope } from '../shared/http/response';
import { textIn } from '../shared/values/json';
import { authenticateLinkRequest } from './authenticate';

/** What the link service calls success: `error` as a number or, on its lists, a string; the overlay list has none. */
const SUCCESS: readonly unknown[] = [0, '0', false, 'false', null, ''];

/** What successful answers hold; tells one without `error` from the JSON of another service. */
const SUCCESS_MEMBERS = ['data', 'details', 'id', 'message', 'cta'] as const;

/** The link management service: its API document under "Authentication" and "Errors". */
export const linkService: Service = {
	serviceName: 'the link service',
	credentialType: 'linkManagementApi',
	authenticate: authenticateLinkRequest,
	documentedLimit: 30,
	testPath: '/api/account',
	readEnvelope(body: IDataObject): Envelope {
		const message = textIn(body.message);
		if ('error' in body) {
			return {
				outcome: SUCCESS.includes(body.error) ? 'success' : 'failure',
				message: message ?? textIn(body.error),
			};
		}
		const isAnswer = SUCCESS_MEMBERS.some((name) => name in body);
		return { outcome: isAnswer ? 'success' : 'unknown', message };
	},
};
