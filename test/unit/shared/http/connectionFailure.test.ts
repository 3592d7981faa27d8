import { connectionFailure } from '../../../../dist/nodes/shared/http/connectionFailure.js';

/** What an error of n8n's HTTP client, or its cause, says of a request; `engine/shared/connection.test.ts` provokes some. */

const SERVICE = { serviceName: 'the service', baseUrl: 'https://links.example.com' };
const CLOSED = 'the connection was closed before the response';
const LATE = 'the request timed out';
const NOBODY = 'nothing is listening there';
const UNTRUSTED = 'its TLS certificate is not valid';

test.each([
	['noResponse', CLOSED, 'ECONNRESET', 'EPIPE', 'HPE_INVALID_CONSTANT', 'ERR_NETWORK', 'ENETDOWN'],
	['noResponse', LATE, 'ECONNABORTED', 'ETIMEDOUT'],
	['unreachable', NOBODY, 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
	['unreachable', 'the host name could not be resolved', 'EAI_AGAIN'],
	['misrouted', 'no host has that name', 'ENOTFOUND'],
	['misrouted', UNTRUSTED, 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	['misrouted', 'it does not use TLS; its address may begin with http://', 'EPROTO'],
])('%s: %s', (kind, words, ...codes) => {
	for (const code of codes) {
		for (const members of [{ code }, { httpCode: code }, { cause: new Error(code) }]) {
			const error = Object.assign(new Error('The node failed'), members);
			const message = `No response from the service: ${words}`;
			expect(connectionFailure(error, SERVICE, undefined)).toMatchObject({ kind, message });
		}
	}
});

test.each([
	['aborted', SERVICE.baseUrl, CLOSED, /./],
	['Socket closed', SERVICE.baseUrl, CLOSED, /./],
	['the request timed out', SERVICE.baseUrl, LATE, /'Timeout' under 'Request Options'/],
	['CERT_HAS_EXPIRED', SERVICE.baseUrl, UNTRUSTED, /NODE_EXTRA_CA_CERTS .+'Ignore SSL Issues'/],
	['ECONNREFUSED', 'http://localhost:8080', NOBODY, /a container/],
	['ECONNREFUSED', SERVICE.baseUrl, NOBODY, /^Check the address/],
	['ECONNRESET', 'http://localhost:8080', CLOSED, /^Check the address/],
])('%s at %s says %s, and what can be done', (thrown, baseUrl, words, advice) => {
	const failure = connectionFailure(new Error(thrown), { ...SERVICE, baseUrl }, undefined);
	expect(failure.message).toBe(`No response from the service: ${words}`);
	expect(failure.advice).toMatch(advice);
});
