// Reads the fields of a credential, and adds its key to requests. Only the store has an Invalid Code Message and a Known Valid Code.

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { fieldFailure, inputFailure } from '../values/failure';
import { mapIn, textIn } from '../values/json';
import { visibleText } from '../values/text';
import {
	addressWithoutSecrets,
	hasHttp,
	urlIn,
	withoutTrailingSlashes,
} from '../values/webAddress';

/** A credential, as `credentialOf` reads it. Its fields in n8n are in `credentials/credentialFields.ts`. */
export interface ServiceCredential {
	baseUrl: string;
	/** The address of links without a domain: that of *Short Link Domain*, or else `baseUrl`. */
	shortBase: string;
	apiKey: string;
	/** Undefined if it is not entered. With 0, requests wait only after the service has refused one. */
	requestsPerMinute: number | undefined;
	/** As it was entered; `checkedTimeZone` checks it where a date is sent. */
	timezone: string;
	invalidCodeMessages: readonly string[];
	knownValidCode?: string | undefined;
	extraHeader: Readonly<Record<string, string>>;
	/** Whether any certificate of the service is accepted. */
	acceptsAnyCertificate: boolean;
	secrets: readonly string[];
}

/** By the object of the fields, which n8n passes to `authenticate` with each request of a run. */
const parsed = new WeakMap<ICredentialDataDecryptedObject, ServiceCredential>();

/** @throws Failure that names the field, and contains no secret */
export function credentialOf(data: ICredentialDataDecryptedObject): ServiceCredential {
	const credential = parsed.get(data) ?? parseCredential(data);
	parsed.set(data, credential);
	return credential;
}

function parseCredential(data: ICredentialDataDecryptedObject): ServiceCredential {
	const apiKey = parseApiKey(textIn(data.apiKey) ?? '');
	const pace = Number(data.requestsPerMinute ?? Number.NaN);
	const extraHeader = parseExtraHeader(data);
	return {
		...parseAddresses(data),
		apiKey,
		requestsPerMinute: pace >= 0 ? Math.ceil(pace) : undefined,
		timezone: textIn(data.timezone) ?? 'UTC',
		invalidCodeMessages: textIn(data.invalidCodeMessage)?.split(/[\r\n]+/) ?? [],
		knownValidCode: textIn(data.knownValidCode),
		extraHeader,
		acceptsAnyCertificate: data.allowUnauthorizedCerts === true,
		// The header may hold the key.
		secrets: [...Object.values(extraHeader), apiKey],
	};
}

/** Without what people copy with a key or an address: quotes, and the name of the header. */
function bare(text: string): string {
	const start = /^(?:["'`“”«»\s]|authorization:|bearer[:\s])+/i;
	const begun = visibleText(text).replace(start, '');
	const last = begun.split('').findLastIndex((character) => !/["'`“”«»\s]/.test(character));
	return begun.slice(0, last + 1);
}

function parseApiKey(text: string): string {
	const key = bare(text);
	if (key === '') throw inputFailure('The API key is empty', 'Enter it in the credential');
	return key;
}

function parseExtraHeader(data: ICredentialDataDecryptedObject): Record<string, string> {
	const name = textIn(data.extraHeaderName);
	const value = textIn(data.extraHeaderValue);
	return name === undefined || value === undefined ? {} : { [name]: value };
}

function parseAddresses(
	data: ICredentialDataDecryptedObject,
): Pick<ServiceCredential, 'baseUrl' | 'shortBase'> {
	const baseUrl = parseBaseUrl('Base URL', textIn(data.baseUrl) ?? '');
	const shortDomain = textIn(data.shortDomain);
	if (shortDomain === undefined) return { baseUrl, shortBase: baseUrl };
	const shortBase = parseBaseUrl('Short Link Domain', shortDomain);
	const isSame = new URL(shortBase).host === new URL(baseUrl).host;
	return { baseUrl, shortBase: isSame ? baseUrl : shortBase };
}

/** Without a slash at the end, and without `/api` and what follows, because every path begins with `/api`. */
function parseBaseUrl(label: string, text: string): string {
	const typed = bare(text);
	const address = typed.includes('://') ? typed : `https://${typed}`;
	const url = hasHttp(address) ? urlIn(address) : undefined;
	// The message does not repeat it, because it may hold a password.
	if (!url || url.username !== '' || url.password !== '')
		throw fieldFailure(
			label,
			'is not a web address',
			'Enter it in the credential like https://www.example.com, without a user name',
		);
	const path = url.pathname.replace(/\/api(?:\/.*)?$/i, '');
	return `${url.origin}${withoutTrailingSlashes(path)}`;
}

/** Where the key goes: into the headers, the query or the body, which `form` sends as form data. */
export interface KeyPlace {
	to: 'body' | 'form' | 'headers' | 'qs';
	name: string;
	/** What stands before it. */
	prefix?: string;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/**
 * For `authenticate` in service.ts of each node, which n8n calls, also for its HTTP Request node, where users choose the address.
 * @returns a copy with extra header and key, which follows no redirect, or the key could come to another host @throws Failure
 */
export function keyedRequest(
	data: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	{ to, name, prefix = '' }: KeyPlace,
): IHttpRequestOptions {
	const { apiKey, baseUrl, extraHeader } = credentialOf(data);
	const url = addressAt(baseUrl, request.url || ('uri' in request ? request.uri : ''));
	const key = { [name]: `${prefix}${apiKey}` };
	const ownHeaders: IDataObject = { body: {}, form: FORM, headers: key, qs: {} }[to];
	// n8n's older HTTP helper, which its HTTP Request node uses, has other names.
	const olderNames = { uri: url, followRedirect: false, followAllRedirects: false };
	return {
		...request,
		...olderNames,
		url,
		disableFollowRedirect: true,
		headers: lowerCased({ ...request.headers }, ownHeaders, extraHeader),
		...(to === 'qs' && { qs: { ...request.qs, ...key } }),
		...(to === 'body' && { body: { ...mapIn(request.body), ...key } }),
		...(to === 'form' && { body: formOf({ ...mapIn(request.body), ...key }) }),
	};
}

function formOf(members: IDataObject): string {
	const form = new URLSearchParams();
	for (const [name, value] of Object.entries(members))
		form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	return form.toString();
}

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
