import type { ApiRequest, Send } from '../shared/http/connection';
import { isRecord, missingMember } from '../shared/values/json';
import { isBlank } from '../shared/values/input';

/** Takes nothing but the key (document: "Account"). */
export const ACCOUNT: ApiRequest = { method: 'GET', path: '/api/account/details' };

/** Asks for the account, to prove the key. @throws Failure if the key is refused, or the store did not say */
export async function askForAccount(send: Send): Promise<void> {
	const { data } = (await send(ACCOUNT)).body;
	if (!isRecord(data) || Object.values(data).every(isBlank)) throw missingMember('data');
}

/** Where the key may go, with the name of it in *Send API Key In*. */
export const KEY_LOCATIONS = {
	body: 'Body',
	form: 'Body (Form)',
	header: 'Header',
	query: 'Query',
} as const;
