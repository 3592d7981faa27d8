import { runInNewContext } from 'node:vm';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

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

/** Ways to write a letter or digit that a database compares as equal. */
const WAYS: Readonly<Record<string, string>> = {
	a: 'aAáÀ\u{1d41a}ａ',
	b: 'bBƀ',
	d: 'dDđĐ',
	g: 'gGǥ',
	h: 'hHħĦ',
	i: 'iIíɨ',
	l: 'lLłŁ',
	o: 'oOøØºö',
	s: 'sSſš',
	t: 'tTŧŦ',
	u: 'uUü',
	z: 'zZƶ',
	0: '0٠०０',
	1: '1١१①',
	3: '3۳๓³',
};

/** Different ways to write a code. */
function variantsOf(code: string, count: number): string[] {
	const variants = new Set<string>();
	for (let number = 0; variants.size < count; number += 1) {
		const letters = Array.from(code, (character, at) => {
			const ways = Array.from(WAYS[character] ?? character);
			return ways[(number * (at + 1) + (number >> (at % 8))) % ways.length];
		});
		variants.add(letters.join(''));
	}
	return [...variants];
}

/** What the example writes into its table for a use. */
async function useOf($json: IDataObject): Promise<unknown> {
	const { nodes = [] } = (await readExamples()).get('purchase-code-used-before.json') ?? {};
	const { columns } = nodes.find(({ name }) => name === 'Add this use')?.parameters ?? {};
	const { code } = (columns as { value: Record<string, string> }).value;
	const expression = String(code)
		.replace(/^=\{\{|\}\}$/g, '')
		.replaceAll("$('Check the purchase code').item.json", '$json');
	return runInNewContext(expression, { $json });
}

describe.each(['folded', 'folded-echo'] as const)('where codes are compared %s', (codeSpelling) => {
	const stage = onStage(new Stage({ codeSpelling }));

	test.each(['abdghilostuz-0013-dolt', 'strokes-łódź-0301', 'ø1đ3-ħaltƀ'])(
		'200 ways to write %s are one use in purchase-code-used-before.json',
		async (sold) => {
			const { store } = stage.sandbox;
			const code = store.addPurchase(store.addItem(stage.storeAccount.id), { code: sold });
			const variants = variantsOf(code, 200);
			const { json } = await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}' },
				{ rows: variants.map((variant) => ({ code: variant })) },
			);
			expect(json.map(({ valid }) => valid)).toEqual(variants.map(() => true));
			const uses = await Promise.all(json.map(useOf));
			expect(new Set(uses).size).toBe(1);
			expect(uses[0]).toMatch(/^[a-z0-9]+$/);
		},
	);
});

test('codes in other scripts are uses of their own', async () => {
	const uses = ['αβγ-1', 'γβα-1', 'код-1', '\u{10d3}-1', '1'].map(
		async (purchase_code) => await useOf({ stored_code: null, purchase_code }),
	);
	expect(new Set(await Promise.all(uses)).size).toBe(5);
});

const MALFORMED: Array<[what: string, code: unknown]> = [
	['an object', { a: 1 }],
	['an array', ['7f3a']],
	['true', true],
	['10 kB', 'a'.repeat(10_240)],
	['a control character', '7f3a\u0000'],
	['an escape sequence', '7f3a\u001b[31m'],
	['half an emoji', '7f3a\ud83d'],
];

describe('what cannot be a code', () => {
	const stage = onStage(new Stage());

	test.each(MALFORMED)('is not sent: %s', async (_what, code) => {
		const { json, requests } = await stage.store(
			'purchase.validate',
			{ purchaseCode: '={{ $json.code }}' },
			{ rows: [{ code } as IDataObject], settings: { onError: 'continueRegularOutput' } },
		);
		expect(json).toEqual([
			{ error: expect.stringMatching(/^Purchase Code (must be text|has ).{9,150}$/) as unknown },
		]);
		expect(requests).toEqual([]);
	});

	test.each([' 7f3a\n', '7f3a\n9c52', '\u200b7f\u00ad3a', 42, '7f3a\u202e'])(
		'but %j is',
		async (code) => {
			const { json } = await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}' },
				{ rows: [{ code }] },
			);
			expect(json).toMatchObject([{ valid: false }]);
		},
	);

	test.each([
		['purchase-download.json', '$json.body?.code'],
		['purchase-code-used-before.json', '$json.body?.code'],
		['purchase-support-form.json', "$json['Purchase code']"],
	])('%s tells it from a code', async (file, field) => {
		const { nodes = [] } = (await readExamples()).get(file) ?? {};
		const { conditions } = nodes.find(({ name }) => name === 'Can it be a code?')?.parameters ?? {};
		const [condition] = (conditions as { conditions: Array<{ leftValue: string }> }).conditions;
		expect(condition?.leftValue).toContain(field);
		const passes = (code: unknown): unknown =>
			runInNewContext(String(condition?.leftValue).replace(/^=\{\{|\}\}$/g, ''), {
				$json: { body: { code }, 'Purchase code': code },
			});
		expect(MALFORMED.filter(([, code]) => passes(code))).toEqual([]);
		expect([null, [], {}].filter(passes)).toEqual([]);
		for (const code of [
			CODES.valid,
			` \u200b${CODES.valid}\n`,
			'',
			'7f3a\n9c52',
			undefined,
			42,
			'a'.repeat(255),
		]) {
			expect([code, passes(code)]).toEqual([code, true]);
		}
	});
});
