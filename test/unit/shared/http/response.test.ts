import type { IDataObject } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { classifyResponse } from '../../../../dist/nodes/shared/http/response.js';
import type { HttpResponse } from '../../../../dist/nodes/shared/http/response.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';

/** What a response means, and what people read of it. */

const answer = (statusCode: number, body: unknown, headers: IDataObject = {}): HttpResponse => ({
	statusCode,
	headers,
	body,
});
const said = (message: string) => ({ error: 1, message });

const LIST = { method: 'GET', path: '/api/urls' };
const CREATE = { method: 'POST', path: '/api/url/add' };
const PAGE = '<h1>Oops</h1>';

/** A kind and what people read, or `success`. */
const meaningOf = (
	response: HttpResponse,
	{ service = linkService, request = LIST } = {},
): [kind: string, words: string] => {
	const outcome = classifyResponse(response, service, request);
	return outcome instanceof Failure ? [outcome.kind, outcome.explanation] : ['success', ''];
};

test.each([
	...[0, '0', false, null, []].map((error) => ({ error, id: 1 })),
	...['id', 'link', 'message', 'short', 'short_url', 'shorturl'].map((name) => ({ [name]: 'x' })),
	{ data: { cta: [] } },
])('%j is a success', (body) => {
	expect(classifyResponse(answer(200, body), linkService, LIST)).toBe(body);
});

const KEY_ADVICE = /Check the API key in the credential: it may be mistyped/;
const NOT_THE_SERVICE = /^Expected a response from the service, but got .* Check the base URL/;
const REDIRECT = { location: 'https://ann:pw@sso.example.com/login?key=1#a' };

test.each<[kind: string, words: RegExp, ...responses: HttpResponse[]]>([
	[
		'refused',
		/^Alias is taken\. Check the values you entered\.$/,
		answer(200, { error: '1', message: 'Alias is taken' }),
		answer(200, { error: true, message: 'Alias is taken' }),
		answer(200, { error: 'Alias is taken' }),
		answer(422, { message: 'Alias is taken' }),
	],
	['refused', /^The service refused the request without a reason/, answer(200, { error: 1 })],
	[
		'refused',
		/^[A-Z].* Check the values/,
		// Words never decide: they are translated, or what the user entered.
		...['Invalid API key', 'Rate limit exceeded', 'The alias rate-limit is taken'].map((words) =>
			answer(200, said(words)),
		),
	],
	[
		'missing',
		/It may have been deleted/,
		answer(404, said('Not found')),
		answer(410, said('Gone')),
	],
	['unauthorized', KEY_ADVICE, answer(401, said('No')), answer(401, '<html>Unauthorized</html>')],
	[
		'forbidden',
		/Check the API key in the credential, what its account and plan may do/,
		answer(403, said('No')),
	],
	['forbidden', /got a web page \(status 403\)\. .*'Extra Header Name'/, answer(403, PAGE)],
	[
		'rateLimited',
		/Lower 'Requests per Minute'/,
		answer(429, 'Slow down'),
		answer(429, said('No')),
		answer(200, { error: '429', message: 'x' }),
	],
	[
		'unavailable',
		/is not available .* Try again later/,
		...[408, 502, 503, 504].map((status) => answer(status, PAGE)),
	],
	['serverError', /^Database is gone\. .*Try again later/, answer(500, said('Database is gone'))],
	['serverError', /^Expected a response .* Try again later/, answer(500, PAGE)],
	[
		'otherRefusal',
		NOT_THE_SERVICE,
		answer(404, '<html>'),
		answer(405, 'Not Allowed'),
		answer(404, {}),
		answer(404, ''),
	],
	[
		'unreadable',
		NOT_THE_SERVICE,
		...['<html>', '{"error":0,"da', [1], { hello: 'world' }].map((body) => answer(200, body)),
		...['{ "data":{"id":1}', '[{"id":1},{"id":2}'].map((body) => answer(200, body)),
	],
	['unreadable', /an empty response .* The record may not exist\./, answer(200, '')],
	['unreadable', /a web page \(status 200\)\. Check the base URL/, answer(200, PAGE)],
	// It leads to what was made.
	['unreadable', /a redirect to https:\/\/sso/, answer(303, '', REDIRECT)],
	[
		'misrouted',
		/a redirect to https:\/\/sso\.example\.com\/login \(status 302\)\. Check the base URL/,
		answer(302, '', REDIRECT),
	],
])('%s: %s', (kind, words, ...responses) => {
	for (const each of responses) {
		const [found, read] = meaningOf(each);
		expect([each, found]).toEqual([each, kind]);
		expect(read).toMatch(words);
	}
});

test('a create that fails with 500 may mean a plan that is used up', () => {
	for (const body of [PAGE, said('Oops')]) {
		const [, words] = meaningOf(answer(500, body), { request: CREATE });
		expect(words).toMatch(
			/Try again later; .* Or the number of records in your plan is used up\.$/,
		);
		expect(meaningOf(answer(500, body))[1]).not.toMatch(/plan/);
	}
});

const VALIDATION = { method: 'POST', path: '/api/purchases/validation' };
const ACCOUNT = { method: 'GET', path: '/api/account/details' };
const refusal = { status: 'erro', msg: 'Não' };

test.each<[status: number, body: unknown, request: typeof ACCOUNT, kind: string, words: RegExp]>([
	[200, { status: 'success', data: {} }, ACCOUNT, 'success', /^$/],
	[200, { status: 'success', msg: 'Found', data: {} }, ACCOUNT, 'success', /^$/],
	[200, { status: 'sucesso', item: { id: 1 } }, VALIDATION, 'success', /^$/],
	[200, { status: 'sucesso', items: [] }, VALIDATION, 'success', /^$/],
	[200, { status: 'sucesso', item: null }, VALIDATION, 'unreadable', /^Expected a response from/],
	[200, { status: 'sucesso', item: 'x' }, VALIDATION, 'unreadable', /^Expected a response from/],
	[200, refusal, VALIDATION, 'refused', /^Não\. Check the values/],
	[200, { ...refusal, data: [] }, VALIDATION, 'refused', /^Não\./],
	[404, refusal, VALIDATION, 'missing', /^Não\. It may have been deleted/],
	[404, { message: 'Not Found' }, VALIDATION, 'otherRefusal', /switched its API off, or another/],
	[404, { status: 'erro' }, VALIDATION, 'otherRefusal', /switched its API off, or another/],
	[404, '<html>', VALIDATION, 'otherRefusal', /switched its API off, or another/],
	[404, { status: 'sucesso', data: {} }, VALIDATION, 'otherRefusal', /switched its API off/],
	[400, refusal, VALIDATION, 'refused', /^Não\. Check the API key .* 'Send API Key In'/],
	[401, refusal, VALIDATION, 'unauthorized', /^Não\. Check the API key/],
	[400, refusal, ACCOUNT, 'unauthorized', /^The store refused the API key \(Não\)\. Check the/],
	[401, refusal, ACCOUNT, 'unauthorized', /^The store refused the API key \(Não\)\. Check the/],
	[401, '', ACCOUNT, 'unauthorized', /^The store refused the API key \(status 401\)\. Check the/],
	[200, refusal, ACCOUNT, 'unauthorized', /^The store refused the API key \(Não\)\. Check the/],
	[404, '<html>', ACCOUNT, 'otherRefusal', /switched its API off, or another/],
	[
		403,
		'<html>',
		ACCOUNT,
		'unauthorized',
		/got a web page .* 'Extra Header Name' .* Check the API key/,
	],
	[200, { message: 'Welcome' }, ACCOUNT, 'unreadable', /^Expected a response from the store/],
])('the store says %i %j of %j', (status, body, request, kind, words) => {
	const [found, read] = meaningOf(answer(status, body), { service: storeService, request });
	expect(found).toBe(kind);
	expect(read).toMatch(words);
});
