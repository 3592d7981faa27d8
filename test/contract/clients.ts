import axios from 'axios';
import { EXTRA_MEMBERS } from '../../sandbox/dialects.ts';
import type { Dialect } from '../../sandbox/dialects.ts';
import { DEMO, startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { isObject } from './shapes.ts';

/** An answer as it came: header names in lower case, `data` parsed where it is JSON, else the text. */
export interface Answer {
	status: number;
	headers: Record<string, string | undefined>;
	data: unknown;
}

const http = axios.create({
	validateStatus: () => true,
	maxRedirects: 0,
	proxy: false,
});

/** `DELETE /api/url/:id/delete` and `{ id: 7 }` as a request. */
export async function call(
	baseUrl: string,
	endpoint: string,
	request: {
		params?: Record<string, string | number> | undefined;
		query?: Record<string, string | number> | undefined;
		body?: unknown;
		headers?: Record<string, string> | undefined;
	} = {},
): Promise<Answer> {
	const [method = 'GET', path = '/'] = endpoint.split(' ');
	const filled = path.replace(/:(\w+)/g, (_, name: string) => {
		const value = request.params?.[name];
		if (value !== undefined) return String(value);
		throw new Error(`${endpoint} needs ${name}: is there an example in test/contract/manifest.ts?`);
	});
	const response = await http.request<unknown>({
		method,
		baseURL: baseUrl,
		url: filled,
		params: request.query ?? {},
		data: request.body,
		headers: { 'Content-Type': 'application/json', ...request.headers },
	});
	const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
	const { status, data } = response;
	return { status, headers: Object.fromEntries(headers) as Answer['headers'], data };
}

/** The parameters of a path that lead to the first record of each kind. */
export const firstRecords = (path: string): Record<string, string> => {
	const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
	return Object.fromEntries(names.map((name) => [name, name === 'type' ? 'links' : '1']));
};

type LinkRequest = Omit<NonNullable<Parameters<typeof call>[2]>, 'headers'> & { key?: string };

/** A request to the service with the demo account's key, or another one. */
export const callLink = (
	sandbox: Sandbox,
	endpoint: string,
	{ key = DEMO.link.apiKey, ...request }: LinkRequest = {},
): Promise<Answer> =>
	call(sandbox.linkUrl, endpoint, { ...request, headers: { Authorization: `Bearer ${key}` } });

/** A request to the store with its key where the dialect looks for it. */
export function callStore(
	sandbox: Sandbox,
	dialect: Dialect,
	endpoint: string,
	parameters: Record<string, string | number> = {},
	key: string = DEMO.store.apiKey,
): Promise<Answer> {
	const isPost = endpoint.startsWith('POST');
	const place = dialect.storeKeyPlace;
	const query = { ...(isPost ? {} : parameters), ...(place === 'query' ? { api_key: key } : {}) };
	const body = {
		...(isPost ? parameters : {}),
		...(place === 'body' || place === 'any' ? { api_key: key } : {}),
	};
	const headers = place === 'header' ? { api_key: key } : {};
	return call(sandbox.storeUrl, endpoint, { query, body, headers });
}

/** Members of an object on the way to a value; undefined when one is missing. */
export const member = (value: unknown, ...path: Array<string | number>): unknown =>
	path.reduce<unknown>((inner, name) => {
		if (Array.isArray(inner)) return inner[Number(name)];
		return isObject(inner) ? inner[name] : undefined;
	}, value);

/** Expects the link document's failure shape and gives the message. */
export function linkFailure(answer: Answer): string {
	const members = Object.keys(isObject(answer.data) ? answer.data : {});
	const extra = { ...EXTRA_MEMBERS.some, ...EXTRA_MEMBERS.campaign };
	const documented = members.filter((name) => !Object.hasOwn(extra, name));
	if (answer.status === 422 && isObject(member(answer.data, 'errors'))) {
		expect(documented).toEqual(['message']);
	} else {
		expect(documented.sort()).toEqual(['error', 'message']);
		expect(['1', 'true']).toContain(String(member(answer.data, 'error')));
	}
	expect(member(answer.data, 'message')).toMatch(/\w/);
	return String(member(answer.data, 'message'));
}

/** A sandbox with the demo accounts and no rate limit, ended after the tests of the block. */
export function sandboxForTests(options: SandboxOptions = {}): () => Sandbox {
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		sandbox = await startSandbox({
			seed: 'demo',
			rateLimit: { requests: 0, windowSeconds: 60 },
			...options,
		});
	});
	afterAll(async () => {
		await sandbox?.stop();
	});
	return () => {
		if (!sandbox) throw new Error('The sandbox has not started');
		return sandbox;
	};
}
