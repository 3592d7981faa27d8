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
	const response = await http.request<unknown>({
		method,
		baseURL: baseUrl,
		url: path,
		params: query,
		data: body,
		headers: { 'Content-Type': 'application/json', ...headers },
	});
	const { status, data } = response;
	return { status, headers: response.headers as Answer['headers'], data };
}

/** A request to the service with the demo account's key, or another one. */
export const callLink = (
	sandbox: Sandbox,
	endpoint: string,
	{ key = DEMO.link.apiKey, ...request }: Omit<Request, 'headers'> & { key?: string } = {},
): Promise<Answer> =>
	call(sandbox.linkUrl, endpoint, { ...request, headers: { Authorization: `Bearer ${key}` } });

/** Members of an object on the way to a value; undefined when one is missing. */
export const member = (value: unknown, ...path: Array<string | number>): unknown =>
	path.reduce<unknown>((inner, name) => {
		if (Array.isArray(inner)) return inner[Number(name)];
		return isRecord(inner) ? inner[name] : undefined;
	}, value);

/** A sandbox with the demo accounts and no rate limit, ended after the tests of the block. */
export function sandboxForTests(options: SandboxOptions = {}): () => Sandbox {
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		const rateLimit = { requests: 0, windowSeconds: 60 };
		sandbox = await startSandbox({ seed: 'demo', rateLimit, ...options });
	});
	afterAll(async () => await sandbox?.stop());
	return () => {
		if (!sandbox) throw new Error('The sandbox has not started');
		return sandbox;
	};
}
