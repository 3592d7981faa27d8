import { DEMO } from '../../sandbox/demo.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { isRecord } from '../n8n-host/json.ts';

/** `DELETE /api/url/7/delete` as a request. */
export async function call(baseUrl: string, endpoint: string, body?: unknown, headers = {}) {
	const [method = 'GET', path = '/'] = endpoint.split(' ');
	const response = await fetch(`${baseUrl}${path}`, {
		method,
		headers: { 'Content-Type': 'application/json', ...headers },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const data: unknown = await response.json();
	return { status: response.status, headers: response.headers, data };
}

/** A request to the link service with the demo account's key, or another one. */
export const callLink = async (
	{ linkUrl }: Pick<Sandbox, 'linkUrl'>,
	endpoint: string,
	body?: unknown,
	key: string = DEMO.link.apiKey,
) => await call(linkUrl, endpoint, body, { Authorization: `Bearer ${key}` });

/** A member of an object; undefined when it is missing. */
export const member = (value: unknown, name: string): unknown =>
	isRecord(value) ? value[name] : undefined;

/** A sandbox with the demo accounts; `await using` ends it. */
export async function demoSandbox(options: SandboxOptions = {}) {
	const rateLimit = { requests: 0, windowSeconds: 60 };
	const sandbox = await startSandbox({ seed: 'demo', rateLimit, ...options });
	return Object.assign(sandbox, { [Symbol.asyncDispose]: async () => await sandbox.stop() });
}
