import { runInNewContext } from 'node:vm';

import type { INode, INodeParameters } from 'n8n-workflow';

import { DEMO } from '../../../sandbox/demo.ts';
import { readExamples } from '../../n8n-host/instance.ts';
import type { StageResult } from '../helpers/support.ts';
import { serve } from '../../loopback.ts';
import { clock } from '../helpers/clock.ts';
import { Stage, onStage } from '../helpers/support.ts';

/** What the Store node of each example gives on n8n's engine; the whole workflows run in test/e2e. */

const CODES = DEMO.purchaseCodes;

async function storeNodeOf(file: string) {
	const { nodes = [] } = (await readExamples()).get(file) ?? {};
	return nodes.find(({ type }) => type === 'n8n-nodes-linkstore.store');
}

describe.each(['documented', 'strict-http', 'php-style', 'seen'] as const)('in %s', (dialect) => {
	const stage = onStage(new Stage(dialect, { seed: 'demo' }));

	/** Each example reads the code from its own kind of trigger. */
	async function check(file: string, codes: string[]): Promise<StageResult> {
		const node = await storeNodeOf(file);
		return await stage.store('purchase.validate', node?.parameters as INodeParameters, {
			rows: codes.map((code) => ({ code, 'Purchase code': code, body: { code } })),
			settings: { onError: node?.onError as INode['onError'] & string },
			credential: { apiKey: DEMO.store.apiKey },
		});
	}

	test.each([
		['nightly-purchase-check.json', [true, true, false], [undefined, undefined, undefined]],
		['purchase-support-form.json', [true, true, false], [true, false, false]],
		['purchase-download.json', [true, true, false], [true, false, false]],
		['purchase-code-used-before.json', [true, true, false], [undefined, undefined, undefined]],
	])(
		'%s tells codes apart, and calls none invalid when the store is down',
		async (file, valid, matches) => {
			const codes = [CODES.valid, CODES.withoutSupport, CODES.invalid];
			const { json } = await check(file, codes);
			expect(json.map((item) => item.valid)).toEqual(valid);
			expect(json.map((item) => item.item_matches)).toEqual(matches);
			stage.sandbox.faults.add({ kind: 'http-500', service: 'store', times: 99 });
			const { outputs } = await check(file, codes);
			const items = outputs.flat();
			expect(items.map(({ json: item }) => ['valid' in item, 'error' in item])).toEqual(
				codes.map(() => [false, true]),
			);
		},
	);
});

describe('with a refused key that gets the words for invalid codes', () => {
	const stage = onStage(new Stage({ storeKeyWords: 'endpoint' }, { seed: 'demo' }));

	test.each([
		'nightly-purchase-check.json',
		'purchase-support-form.json',
		'purchase-download.json',
		'purchase-code-used-before.json',
	])('%s calls no code invalid', async (file) => {
		const node = await storeNodeOf(file);
		const codes = [CODES.valid, CODES.withoutSupport];
		const { outputs } = await stage.store(
			'purchase.validate',
			node?.parameters as INodeParameters,
			{
				rows: codes.map((code) => ({ code, 'Purchase code': code, body: { code } })),
				settings: { onError: node?.onError as INode['onError'] & string },
				credential: { apiKey: 'revoked' },
			},
		);
		const items = outputs.flat().map(({ json }) => json);
		expect(items.map((item) => ['valid' in item, 'error' in item])).toEqual(
			codes.map(() => [false, true]),
		);
	});
});

describe('a store that lets callers wait', () => {
	test.each([
		'purchase-support-form.json',
		'purchase-download.json',
		'purchase-code-used-before.json',
	])('%s gives up after ten seconds', async (file) => {
		await using stage = await Stage.opened();
		const server = await serve((_request, response) => {
			response.writeHead(429, { 'Retry-After': '3600' });
			response.end('{"status":"error","msg":"Too many requests"}');
		});
		const node = await storeNodeOf(file);
		const begun = clock();
		const { outputs } = await stage.store(
			'purchase.validate',
			node?.parameters as INodeParameters,
			{
				rows: [{ 'Purchase code': CODES.valid, body: { code: CODES.valid } }],
				settings: { onError: node?.onError as INode['onError'] & string },
				credential: { baseUrl: server.url },
			},
		);
		await server.stop();
		expect(clock() - begun).toBeLessThan(11_000);
		expect(outputs.map((items) => items.length)).toEqual([0, 1]);
	});
});

/** Capital and accented letters in every other place, so that no two are the same. */
const variantsOf = (code: string, count: number): string[] =>
	Array.from({ length: count }, (_, number) =>
		Array.from(code)
			.map((character, at) => {
				const isChanged = (number >> (at % 8)) % 2 === 1;
				if (!isChanged || !/[a-z]/.test(character)) return character;
				return at % 2 === 0 ? character.toUpperCase() : `${character}\u0301`;
			})
			.join(''),
	);

describe.each(['folded', 'folded-echo'] as const)('where codes are compared %s', (codeSpelling) => {
	const stage = onStage(new Stage({ codeSpelling }));

	test('200 ways to write a code are one use in purchase-code-used-before.json', async () => {
		const { nodes = [] } = (await readExamples()).get('purchase-code-used-before.json') ?? {};
		const { columns: adding } = nodes.find(({ name }) => name === 'Add this use')?.parameters ?? {};
		const { code: expression } = (adding as { value: Record<string, string> }).value;
		const { store } = stage.sandbox;
		const code = store.addPurchase(store.addItem(stage.storeAccount.id), {
			code: 'abcdefgh-ijklmnop-qrstuvwx',
		});
		const variants = variantsOf(code, 200);
		expect(new Set(variants).size).toBe(200);
		const { json } = await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.code }}' },
			{ rows: variants.map((variant) => ({ code: variant })) },
		);
		expect(json.map(({ valid }) => valid)).toEqual(variants.map(() => true));
		const uses = json.map(($json): unknown =>
			runInNewContext(
				String(expression)
					.replace(/^=\{\{|\}\}$/g, '')
					.replaceAll("$('Check the purchase code').item.json", '$json'),
				{ $json },
			),
		);
		expect([...new Set(uses)]).toEqual([code.replaceAll('-', '')]);
	});
});
