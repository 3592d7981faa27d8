// Adds the key to a request, also of n8n's HTTP Request node, where users choose the address. Refuses any that would show the key
// to anyone but the service.

import { type IDataObject, type IHttpRequestOptions, jsonParse } from 'n8n-workflow';

import { type Failure, inputFailure, quoted } from '../values/failure';
import { mapIn } from '../values/json';
import { addressWithoutSecrets, withoutTrailingSlashes } from '../values/webAddress';
import { headerName, type ServiceCredential } from './credential';

/** Where the key goes: what is added to the headers, the query or the body, which `form` sends as form data. */
type KeyPlace = Partial<Record<'body' | 'form' | 'headers' | 'qs', IDataObject>>;

/** Marks the requests of this package's nodes. Nothing that a user enters in another node becomes a symbol. */
export const OWN_REQUEST = Symbol('request of this package');

/**
 * Copies a request and adds the extra header and the key, where `authenticate.ts` of a node puts it. n8n also calls that for its
 * HTTP Request node, where users who may use the credential, but not see the key, choose address, headers, body and proxy.
 * @throws Failure if anyone but the service could read the key
 */
export function keyedRequest(
	{ baseUrl, extraHeader, isForOwnNodes }: ServiceCredential,
	request: IHttpRequestOptions,
	{ headers: keyHeaders = {}, qs, body, form }: KeyPlace,
): IHttpRequestOptions {
	if (isForOwnNodes && !(OWN_REQUEST in request)) throw otherNode();
	refuseReadableProxy(baseUrl, request);
	const { method = 'GET', useStream, simple } = mapIn(request);
	// A response to TRACE would show the key.
	if (typeof method !== 'string' || !/^(delete|get|head|options|patch|post|put)$/i.test(method))
		throw inputFailure(`The key of this credential is not sent with the method ${quoted(method)}`);
	const { baseURL = baseUrl, ...others } = request;
	const url = addressBelow(baseUrl, baseURL, request);
	const formHeaders = form ? { 'Content-Type': FORM } : {};
	const entered = mapIn(request.headers);
	const headers = mergedHeaders(entered, keyHeaders, formHeaders, extraHeader);
	// A redirect could take the key to another host. n8n's two HTTP helpers have different names for that, and for the address.
	const noRedirects = { disableFollowRedirect: true, followRedirect: false, maxRedirects: 0 };
	// A stream holds the request with the key. n8n would store it, and take the name of a file from it. Its pagination, which
	// sets `simple`, reads nothing else.
	const streams = { useStream: useStream === true && simple === false };
	const olderNames = { followAllRedirects: false, uri: url, ...streams };
	const data = dataIn(request);
	const keyed = {
		...(qs && { qs: { ...request.qs, ...qs } }),
		...(body && { body: { ...mapIn(data.body), ...body } }),
		...(form && { body: encodedForm({ ...mapIn(data.body), ...form }) }),
	};
	// Other options could lead the connection to another host.
	const { ca, cert, key, passphrase } = request.agentOptions ?? {};
	const agentOptions = { ca, cert, key, passphrase };
	const own = { ...noRedirects, ...olderNames, agentOptions, headers, url };
	return { ...others, ...data, ...keyed, ...own };
}

const FORM = 'application/x-www-form-urlencoded';

const encodedForm = (members: IDataObject): string =>
	new URLSearchParams(
		Object.entries(members).map(([name, value]): [string, string] => [
			name,
			typeof value === 'object' ? JSON.stringify(value) : String(value),
		]),
	).toString();

/** n8n checks that only where it knows which credential a node uses. */
const otherNode = (): Failure =>
	inputFailure(
		'This credential cannot be used in other nodes',
		'Use a node of this package, or change Allowed HTTP Request Domains of the credential',
	);

/**
 * What is sent, as JSON would hold it: the HTTP client gives the request with the key to a body with a function `pipe`.
 * @throws Failure for files, which cannot be copied like that, and whose stated length could hide a second request
 */
function dataIn(request: IHttpRequestOptions): IDataObject {
	const { body, form, formData } = mapIn(request);
	const { pipe }: Record<string, unknown> = mapIn(body);
	if (formData !== undefined || typeof pipe === 'function') throw noFiles();
	return mapIn(jsonParse<unknown>(JSON.stringify({ body, form }, refuseFile)));
}

function refuseFile(this: Record<string, unknown>, name: string, value: unknown): unknown {
	// `value` is what the file's `toJSON` gives.
	if (ArrayBuffer.isView(this[name])) throw noFiles();
	return value;
}

const noFiles = (): Failure =>
	inputFailure(
		'The key of this credential is not sent with files or multipart form data',
		'Send JSON, form data as Form Urlencoded, or text',
	);

/** @throws Failure if it is not below the base URL, or a server could read `..` in its path: as `%2e%2e`, `%c0%ae.` or `..;` */
function addressBelow(
	baseUrl: string,
	enteredBase: string,
	request: Pick<IHttpRequestOptions, 'url'>,
): string {
	const entered = String(request.url || ('uri' in request ? request.uri : ''));
	const address = URL.canParse(entered)
		? entered
		: `${withoutTrailingSlashes(enteredBase)}${entered.startsWith('/') ? '' : '/'}${entered}`;
	const base = new URL(baseUrl);
	const target = URL.canParse(address) ? new URL(address) : undefined;
	const root = `${withoutTrailingSlashes(base.pathname)}/`;
	const isBelow =
		target?.origin === base.origin &&
		`${target.username}${target.password}` === '' &&
		`${withoutTrailingSlashes(target.pathname)}/`.startsWith(root) &&
		(root === '/' || !/[%;]/.test(target.pathname.slice(root.length)));
	if (target && isBelow) return target.href;
	throw inputFailure(
		`The key of this credential goes to ${baseUrl} only, not to ${addressWithoutSecrets(address)}`,
		'Enter an address below the base URL, with no % and no ; in its path, or use another credential',
	);
}

/** Only TLS with a certificate from a known authority hides the key from a proxy. @throws Failure if the proxy may read it */
export function refuseReadableProxy(baseUrl: string, request: Partial<IHttpRequestOptions>): void {
	const { proxy, agentOptions = {}, skipSslCertificateValidation = false } = request;
	const isUnchecked = 'rejectUnauthorized' in request && request.rejectUnauthorized !== true;
	const isHidden =
		baseUrl.startsWith('https:') &&
		!(skipSslCertificateValidation || isUnchecked) &&
		Object.keys(agentOptions).length === 0;
	if (!proxy || isHidden) return;
	throw inputFailure(
		'The proxy could read the key of this credential, so nothing was sent',
		'Remove the proxy, or use an https:// base URL with Ignore SSL Issues off and no SSL certificates of your own',
	);
}

/** Headers with which some servers replace the address or the method of a request. */
const REPLACING_HEADER = /^(forwarded|x[-_](forwarded|host|http|method|original|rewrite).*)$/i;

/** Later headers replace earlier ones of the same name. The HTTP client would send the members of an object as headers. */
function mergedHeaders(entered: IDataObject, ...added: IDataObject[]): IDataObject {
	const replacing = Object.keys(entered).find((name) => REPLACING_HEADER.test(name.trim()));
	if (replacing !== undefined)
		throw inputFailure(
			`The header ${quoted(replacing)} could lead the key of this credential elsewhere`,
		);
	const merged = new Map<string, [string, IDataObject[string]]>();
	for (const [name, value] of [entered, ...added].flatMap((headers) => Object.entries(headers))) {
		const found = headerName('header', name.trim());
		if (typeof value === 'function' || (typeof value === 'object' && value !== null))
			throw inputFailure(`The value of header ${quoted(name)} is not text`);
		merged.set(found.toLowerCase(), [found, value]);
	}
	const [, type] = merged.get('content-type') ?? [];
	if (typeof type === 'string' && /multipart/i.test(type)) throw noFiles();
	return Object.fromEntries(merged.values());
}
