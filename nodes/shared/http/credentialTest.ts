// The credential test, which n8n runs when a credential is saved.

import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { toFailure } from '../values/failure';
import { checkedTimeZone } from '../values/moment';
import { connectionWith } from './connection';
import type { Service } from './service';
import { interactiveOptions, createSend } from './request';

/** Sends its request like any other, so a wrong credential gives the same message as in an operation. */
export function credentialTest(service: Service) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { helpers } = this;
		const request = async (options: IHttpRequestOptions): Promise<unknown> => {
			const authenticated = await service.authenticate(data, options);
			// n8n gives a credential test only its older HTTP helper, whose options have other names.
			const olderNames = {
				simple: false,
				resolveWithFullResponse: true,
				rejectUnauthorized: options.skipSslCertificateValidation !== true,
			};
			return await helpers.request({ ...authenticated, ...olderNames });
		};
		try {
			const connection = connectionWith(service, data, request, {}, this.logger);
			checkedTimeZone(connection.timezone);
			const send = createSend(connection, interactiveOptions(connection));
			await service.testKey(connection, send);
			return { status: 'OK', message: 'Connection successful!' };
		} catch (error) {
			return { status: 'Error', message: toFailure(error).explanation };
		}
	};
}
