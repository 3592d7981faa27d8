import axios from 'axios';

import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { isRecord } from '../n8n-host/json.ts';

/** A response: `data` is parsed where it is JSON, else the text. */
export interface Answer {
	status: number;
	headers: Record<string, string | undefined>;
	data: unknown;
}

const http = axios.create({ validateStatus: () => true, maxRedirects: 0, proxy: false });

interface Request {
	query?: Readonly<Record<string, string | number>> | undefined;
	body?: unknown;
	headers?: Record<string, string> | undefined;
}

/** `DELETE /api/url/7/delete` as a request. */
export async function call(
	baseUrl: string,
	endpoint: string,
	{ query = {}, body, headers }: Request = {},
): Promise<Answer> {
	const [method = 'GET', path = '/'] = endpoint.split(' ');
	const { status, data, ...response } = await http.request<unknown>({
		method,
		url: `${baseUrl}${path}`,
		params: query,
		data: body,
		headers: { 'Content-Type': 'application/json', ...headers },
	});
	return { status, headers: response.headers as Answer['headers'], data };
}

/** A request to the link service with the demo account's key, or another one. */
export const callLink = async (
	{ linkUrl }: Sandbox,
	endpoint: string,
	{ key = DEMO.link.apiKey, body }: { key?: string; body?: unknown } = {},
): Promise<Answer> =>
	await call(linkUrl, endpoint, { body, headers: { Authorization: `Bearer ${key}` } });

/** Members of an object on the way to a value; undefined when one is missing. */
export const member = (value: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);

/** A sandbox with the demo accounts; `await using` ends it. */
export async function demoSandbox(options: SandboxOptions = {}) {
	const rateLimit = { requests: 0, windowSeconds: 60 };
	const sandbox = await startSandbox({ seed: 'demo', rateLimit, ...options });
	return Object.assign(sandbox, { [Symbol.asyncDispose]: async () => await sandbox.stop() });
}
