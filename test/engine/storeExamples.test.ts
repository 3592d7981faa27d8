import type { INode, INodeParameters } from 'n8n-workflow';

import { DEMO } from '../../sandbox/demo.ts';
import { readExamples } from '../n8n-host/instance.ts';
import type { StageResult } from './support.ts';
import { Stage, onStage } from './support.ts';

/** What the Store node of each example gives on n8n's engine; the whole workflows run in test/e2e. */

const CODES = DEMO.purchaseCodes;

describe.each(['documented', 'strict-http', 'php-style', 'seen'] as const)('in %s', (dialect) => {
	const stage = onStage(new Stage(dialect, { seed: 'demo' }));

	/** Each example reads the code from its own kind of trigger. */
	async function check(file: string, codes: string[]): Promise<StageResult> {
		const { nodes = [] } = (await readExamples()).get(file) ?? {};
		const node = nodes.find(({ type }) => type === 'n8n-nodes-linkstore.store');
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
