import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type LoopbackServer, serve } from '../../loopback.ts';
import { testCredential } from '../helpers/engine.ts';
import { onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** A cache in front of a store must not prove a key that was revoked since: no genuine code becomes invalid by that. */

interface Cached {
	status: number;
	type: string;
	body: string;
}

/** What a cache makes of what a request asks for, and what it says of itself. */
interface Cache {
	obeys: (headers: IncomingHttpHeaders) => boolean;
	says: Record<string, string>;
}

const CACHES: Record<string, Cache> = {
	'that obeys Cache-Control': {
		obeys: (headers) => /\bno-cache\b/.test(headers['cache-control'] ?? ''),
		says: {},
	},
	'of HTTP/1.0': { obeys: (headers) => headers.pragma === 'no-cache', says: {} },
	'that states the age': { obeys: () => false, says: { Age: '30' } },
	'that says hit': { obeys: () => false, says: { 'X-Cache': 'HIT from edge' } },
	'of a network': { obeys: () => false, says: { 'CF-Cache-Status': 'HIT' } },
	'in the words of the standard': { obeys: () => false, says: { 'Cache-Status': 'edge; hit' } },
};

async function bodyOf(message: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of message) text += String(chunk);
	return text;
}

/** A proxy that keeps what a GET got, by its address. */
async function cacheBefore(
	origin: string,
	{ obeys, says }: Cache,
): Promise<LoopbackServer & { hits: () => number }> {
	const pages = new Map<string, Cached>();
	let hits = 0;
	const server = await serve((request, response) => {
		const { method = 'GET', url = '/', headers } = request;
		const isKept = method === 'GET';
		const page = isKept && !obeys(headers) ? pages.get(url) : undefined;
		if (page) {
			hits += 1;
			response.writeHead(page.status, { 'content-type': page.type, ...says });
			response.end(page.body);
			return;
		}
		void (async () => {
			const sent = await bodyOf(request);
			const { 'content-type': sentType = 'application/json' } = headers;
			const answer = await fetch(`${origin}${url}`, {
				method,
				headers: { 'content-type': sentType },
				...(isKept ? {} : { body: sent }),
			});
			const type = answer.headers.get('content-type') ?? 'text/plain';
			const body = await answer.text();
			if (isKept && answer.ok) pages.set(url, { status: answer.status, type, body });
			response.writeHead(answer.status, { 'content-type': type, 'X-Cache': 'MISS', Age: '0' });
			response.end(body);
		})();
	});
	return { ...server, hits: () => hits };
}

describe.each(Object.entries(CACHES))('a cache %s', (_what, cache) => {
	const stage = onStage(new Stage({ storeKeyWords: 'endpoint', invalidPurchase: '404' }));
	const sell = () =>
		stage.sandbox.store.addPurchase(stage.sandbox.store.addItem(stage.storeAccount.id));

	test('proves no revoked key: in the node, a trigger and the credential test', async () => {
		const proxy = await cacheBefore(stage.sandbox.storeUrl, cache);
		const credential = { baseUrl: proxy.url };
		const codes = [sell(), sell()];
		const validate = async () =>
			await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}' },
				{
					rows: codes.map((code) => ({ code })),
					settings: { onError: 'continueRegularOutput' },
					credential,
				},
			);
		const { storeApi } = stage.credentials;
		const data = { ...storeApi, ...credential } as ICredentialDataDecryptedObject;
		const trigger = triggersOf('storeTrigger')(
			{ credentials: { storeApi: data } },
			{ event: 'purchaseInvalid', purchaseCodes: codes.join() },
		);
		try {
			await stage.store('account.get', {}, { credential });
			await stage.store('account.get', {}, { credential });
			expect(proxy.hits()).toBe(1);
			expect((await validate()).json.map(({ valid }) => valid)).toEqual([true, true]);
			await trigger.activate();

			stage.sandbox.rotateKey('store', stage.storeAccount.id);
			for (const item of (await validate()).json) {
				expect(item).toEqual({ error: expect.stringMatching(/API key|Not sent/) as unknown });
			}
			for (let poll = 0; poll < 3; poll += 1) await expect(trigger.poll()).rejects.toThrow();
			const { status } = await testCredential('store', 'storeApi', data);
			expect(status).toBe('Error');
		} finally {
			await proxy.stop();
		}
	});

	test('takes nothing from a key that works', async () => {
		const proxy = await cacheBefore(stage.sandbox.storeUrl, { ...cache, says: {} });
		try {
			const { json } = await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}' },
				{ rows: [{ code: 'never' }, { code: sell() }], credential: { baseUrl: proxy.url } },
			);
			expect(json.map(({ valid }) => valid)).toEqual([false, true]);
		} finally {
			await proxy.stop();
		}
	});
});
