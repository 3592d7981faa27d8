import type { ApiRequest } from '../shared/http/connection';

/** Takes nothing but the key (document: "Account"). */
export const ACCOUNT: ApiRequest = { method: 'GET', path: '/api/account/details' };

/** Where the key may go, with the name of it in *Send API Key In*. */
export const KEY_PLACES = {
	body: 'Body',
	form: 'Body (Form)',
	header: 'Header',
	query: 'Query',
} as const;
