// The credential test, which n8n runs when a credential is saved.

import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { toFailure } from '../values/failure';
import { checkedTimeZone } from './credential';
import { connectionWith, type Service, type CredentialTrial } from './connection';
import { interactiveOptions, createSend } from './request';

/** Sends its request like any other, so a wrong credential gives the same message as in an operation. */
export function credentialTest(service: Service) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { helpers } = this;
		const trial = (changes: ICredentialDataDecryptedObject): CredentialTrial => {
			const changed = { ...data, ...changes };
			const connection = connectionWith(service, changed, async (request): Promise<unknown> => {
				const authenticated = await service.authenticate(changed, request);
				// n8n gives a credential test only its older HTTP helper, whose options have other names.
				const olderNames = { simple: false, resolveWithFullResponse: true };
				return await helpers.request({ ...authenticated, ...olderNames });
			});
			checkedTimeZone(connection.timezone);
			return { connection, send: createSend(connection, interactiveOptions(connection)) };
		};
		try {
			await service.testKey(trial);
			return { status: 'OK', message: 'Connection successful!' };
		} catch (error) {
			return { status: 'Error', message: toFailure(error).explanation };
		}
	};
}
