// Adds the key to a request, for `authenticate` in service.ts of each node, which n8n's HTTP client calls; also for n8n's HTTP
// Request node, where users choose the address.

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { inputFailure } from '../values/failure';
import { mapIn } from '../values/json';
import { addressWithoutSecrets, urlIn } from '../values/webAddress';
import type { ServiceCredential } from './credential';

/** Where the key goes: what is added to the headers, the query or the body, which `form` sends as form data. */
type KeyLocation = Partial<Record<'body' | 'form' | 'headers' | 'qs', IDataObject>>;

/** A copy with extra header and key, which follows no redirect, or the key could come to another host. @throws Failure */
export function keyedRequest(
	{ baseUrl, extraHeader }: ServiceCredential,
	request: IHttpRequestOptions,
	{ headers, qs, body, form }: KeyLocation,
): IHttpRequestOptions {
	const url = addressAt(baseUrl, request.url || ('uri' in request ? request.uri : ''));
	// n8n's older HTTP helper, which its HTTP Request node uses, has other names.
	const olderNames = { uri: url, followRedirect: false, followAllRedirects: false };
	return {
		...request,
		...olderNames,
		url,
		disableFollowRedirect: true,
		headers: lowerCased({ ...request.headers }, { ...headers }, form ? FORM : {}, extraHeader),
		...(qs && { qs: { ...request.qs, ...qs } }),
		...(body && { body: { ...mapIn(request.body), ...body } }),
		...(form && { body: formOf({ ...mapIn(request.body), ...form }) }),
	};
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const textOf = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value);

const formOf = (members: IDataObject): string =>
	new URLSearchParams(
		Object.entries(members).map(([name, value]): [string, string] => [name, textOf(value)]),
	).toString();

/** Later headers replace earlier ones of the same name. */
const lowerCased = (...headers: IDataObject[]): IDataObject =>
	Object.fromEntries(
		headers.flatMap(Object.entries).map(([name, value]) => [name.toLowerCase(), value]),
	);

function addressAt(baseUrl: string, entered: unknown): string {
	const text = String(entered);
	const address = URL.canParse(text) ? text : `${baseUrl}/${text.replace(/^\//, '')}`;
	const { origin } = new URL(baseUrl);
	const target = urlIn(address);
	if (target?.origin === origin) return target.href;
	throw inputFailure(
		`The key of this credential goes to ${origin} only, not to ${addressWithoutSecrets(address)}`,
		'Enter an address of that host, or use another credential',
	);
}
