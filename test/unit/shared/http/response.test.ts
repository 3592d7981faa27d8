import type { IDataObject } from 'n8n-workflow';

import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { classifyResponse } from '../../../../dist/nodes/shared/http/response.js';
import { Failure } from '../../../../dist/nodes/shared/values/failure.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';

/** What a response means, and what people read of it. */

type Response = [statusCode: number, body: unknown, headers?: IDataObject];

const said = (message: string) => ({ error: 1, message });

const LIST = { method: 'GET', path: '/api/urls' };
const PAGE = '<h1>Oops</h1>';

/** A kind and what people read, or `success`. */
function meaningOf(
	[statusCode, body, headers = {}]: Response,
	{ service = linkService, request = LIST } = {},
): [kind: string, words: string] {
	const outcome = classifyResponse({ statusCode, body, headers }, service, request);
	return outcome instanceof Failure ? [outcome.kind, outcome.explanation] : ['success', ''];
}

const KEY_ADVICE = /Check the API key in the credential: it may be mistyped/;
const NO_ACCESS = /Check the API key in the credential, what its account and plan may do/;
const NOT_THE_SERVICE = /^Expected a response from the service, but got .* Check the base URL/;
const LOGIN = { location: 'https://ann:pw@sso.example.com/login?key=1#a' };
const TAKEN = 'Alias is taken';
const SUCCESSES = [0, '0', false, null, []].map((error) => ({ error, id: 1 }));
const NAMED = ['id', 'link', 'message', 'short', 'short_url', 'shorturl'];
const WORDS = ['Invalid API key', 'Rate limit exceeded', 'The alias rate-limit is taken'];

const MEANINGS: Array<[kind: string, words: RegExp, ...responses: Response[]]> = [
	['success', /^$/, ...SUCCESSES.map((body): Response => [200, body])],
	['success', /^$/, ...NAMED.map((name): Response => [200, { [name]: 'x' }])],
	['success', /^$/, [200, { data: { cta: [] } }]],
	['refused', /^Alias is taken\. Check the values you entered\.$/, [422, { message: TAKEN }]],
	['refused', /^Alias is taken\./, [200, { error: TAKEN }], [200, { error: '1', message: TAKEN }]],
	['refused', /^The service refused the request without a reason/, [200, { error: 1 }]],
	// Words never decide: they are translated, or what the user entered.
	['refused', /^[A-Z].* Check the values/, ...WORDS.map((words): Response => [200, said(words)])],
	['missing', /It may have been deleted/, [404, said('Not found')], [410, said('Gone')]],
	['unauthorized', KEY_ADVICE, [401, said('No')], [401, '<html>Unauthorized</html>']],
	['forbidden', NO_ACCESS, [403, said('No')]],
	['forbidden', /got a web page \(status 403\)\. .*'Extra Header Name'/, [403, PAGE]],
	['rateLimited', /Lower 'Requests per Minute'/, [429, 'Slow down'], [429, said('No')]],
	['rateLimited', /./, [200, { error: '429', message: 'x' }]],
	['unavailable', /is not available .* Try again later/, [408, PAGE], [502, PAGE], [504, PAGE]],
	['serverError', /^Database is gone\. .*Try again later/, [500, said('Database is gone')]],
	['serverError', /^Expected a response .* Try again later/, [500, PAGE]],
	['otherRefusal', NOT_THE_SERVICE, [404, PAGE], [405, 'Not Allowed'], [404, {}], [404, '']],
	['unreadable', NOT_THE_SERVICE, [200, PAGE], [200, '{"error":0,"da'], [200, [1]]],
	['unreadable', NOT_THE_SERVICE, [200, { hello: 'world' }], [200, '[{"id":1},{"id":2}']],
	['unreadable', /an empty response .* The record may not exist\./, [200, '']],
	// It leads to what was made.
	['unreadable', /a redirect to https:\/\/sso/, [303, '', LOGIN]],
	[
		'misrouted',
		/a redirect to https:\/\/sso\.example\.com\/login \(status 302\)\. Check/,
		[302, '', LOGIN],
	],
];

test.each(MEANINGS)('%s: %s is the meaning of %j', (kind, words, ...responses) => {
	for (const response of responses) {
		const [found, read] = meaningOf(response);
		expect([response, found]).toEqual([response, kind]);
		expect(read).toMatch(words);
	}
});

test('a create that is refused, or fails with 500, may mean a plan that is used up', () => {
	const request = { method: 'POST', path: '/api/url/add' };
	const usedUp = /(?:later; .*|entered\.) Or the number of records in your plan is used up\.$/;
	const responses: Response[] = [
		[500, PAGE],
		[500, said('Oops')],
		[422, said('Limit')],
		[200, said('Limit')],
	];
	for (const response of responses) {
		expect(meaningOf(response, { request })[1]).toMatch(usedUp);
		expect(meaningOf(response)[1]).not.toMatch(/plan/);
	}
});

const VALIDATION = { method: 'POST', path: '/api/purchases/validation' };
const ACCOUNT = { method: 'GET', path: '/api/account/details' };
const refusal = { status: 'erro', msg: 'Não' };
const OFF = /switched its API off, or another/;
const KEY_REFUSED = /^The store refused the API key \(Não\)\. Check the/;
const NO_STORE = /^Expected a response from the store/;

test.each<[status: number, body: unknown, request: typeof ACCOUNT, kind: string, words: RegExp]>([
	[200, { status: 'success', msg: 'Found', data: {} }, ACCOUNT, 'success', /^$/],
	[200, { status: 'sucesso', item: { id: 1 } }, VALIDATION, 'success', /^$/],
	[200, { status: 'sucesso', items: [] }, VALIDATION, 'success', /^$/],
	[200, { status: 'sucesso', item: null }, VALIDATION, 'unreadable', NO_STORE],
	[200, { status: 'sucesso', item: 'x' }, VALIDATION, 'unreadable', NO_STORE],
	[200, { ...refusal, data: [] }, VALIDATION, 'refused', /^Não\. Check the values/],
	[404, refusal, VALIDATION, 'missing', /^Não\. It may have been deleted/],
	[404, { message: 'Not Found' }, VALIDATION, 'otherRefusal', OFF],
	[404, { status: 'erro' }, VALIDATION, 'otherRefusal', OFF],
	[404, { status: 'sucesso', data: {} }, VALIDATION, 'otherRefusal', OFF],
	[404, PAGE, ACCOUNT, 'otherRefusal', OFF],
	[400, refusal, VALIDATION, 'refused', /^Não\. Check the API key .* 'Send API Key In'/],
	[401, refusal, VALIDATION, 'unauthorized', /^Não\. Check the API key/],
	[400, refusal, ACCOUNT, 'unauthorized', KEY_REFUSED],
	[200, refusal, ACCOUNT, 'unauthorized', KEY_REFUSED],
	[401, '', ACCOUNT, 'unauthorized', /^The store refused the API key \(status 401\)\. Check the/],
	[403, PAGE, ACCOUNT, 'unauthorized', /a web page .* 'Extra Header Name' .* Check the API key/],
	[200, { message: 'Welcome' }, ACCOUNT, 'unreadable', NO_STORE],
])('the store says %i %j of %j', (status, body, request, kind, words) => {
	const [found, read] = meaningOf([status, body], { service: storeService, request });
	expect(found).toBe(kind);
	expect(read).toMatch(words);
});
