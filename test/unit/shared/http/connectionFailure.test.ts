import { connectionFailure } from '../../../../dist/nodes/shared/http/connectionFailure.js';

/** What an error of n8n's HTTP client, or its cause, says of a request. */

const SERVICE = { serviceName: 'the service', baseUrl: 'https://links.example.com' };
const CLOSED = 'the connection was closed before the response';
const LATE = 'the request timed out';
const NOBODY = 'nothing is listening there';

test.each([
	['ECONNRESET', 'noResponse', CLOSED],
	['EPIPE', 'noResponse', CLOSED],
	['HPE_INVALID_CONSTANT', 'noResponse', CLOSED],
	['ERR_NETWORK', 'noResponse', CLOSED],
	['ENETDOWN', 'noResponse', CLOSED],
	['ECONNABORTED', 'noResponse', LATE],
	['ETIMEDOUT', 'noResponse', LATE],
	['ECONNREFUSED', 'unreachable', NOBODY],
	['EHOSTUNREACH', 'unreachable', NOBODY],
	['ENETUNREACH', 'unreachable', NOBODY],
	['EAI_AGAIN', 'unreachable', 'the host name could not be resolved'],
	['ENOTFOUND', 'misrouted', 'no host has that name'],
	['CERT_HAS_EXPIRED', 'misrouted', 'its TLS certificate is not valid'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'misrouted', 'its TLS certificate is not valid'],
	['EPROTO', 'misrouted', 'it does not use TLS; its address may begin with http://'],
])('%s is %s: %s', (code, kind, words) => {
	for (const members of [{ code }, { httpCode: code }, { cause: new Error(code) }]) {
		const error = Object.assign(new Error('The node failed'), members);
		expect(connectionFailure(error, SERVICE, undefined)).toMatchObject({
			kind,
			message: `No response from the service: ${words}`,
		});
	}
});

test.each([
	['aborted', CLOSED],
	['socket hang up', CLOSED],
	['Socket closed', CLOSED],
	['the request timed out', LATE],
])('so are words: %s', (message, words) => {
	const failure = connectionFailure(new Error(message), SERVICE, undefined);
	expect(failure.message).toBe(`No response from the service: ${words}`);
});

test.each([
	['the request timed out', SERVICE.baseUrl, /'Timeout' under 'Request Options'/],
	['CERT_HAS_EXPIRED', SERVICE.baseUrl, /NODE_EXTRA_CA_CERTS .+'Ignore SSL Issues'/],
	['ECONNREFUSED', 'http://localhost:8080', /a container/],
	['ECONNREFUSED', 'http://127.0.0.1:8080', /a container/],
	['ECONNREFUSED', SERVICE.baseUrl, /^Check the address/],
	['ECONNRESET', 'http://localhost:8080', /^Check the address/],
])('%s at %s says what can be done', (words, baseUrl, advice) => {
	const failure = connectionFailure(new Error(words), { ...SERVICE, baseUrl }, undefined);
	expect(failure.advice).toMatch(advice);
});
