import type { INode, INodeParameters } from 'n8n-workflow';

import { DEMO } from '../../../sandbox/demo.ts';
import { readExamples } from '../../n8n-host/instance.ts';
import type { StageResult } from '../helpers/support.ts';
import { Stage, onStage } from '../helpers/support.ts';

/** What the Store node of each example outputs on n8n's engine; the whole workflows run in test/e2e. */

const CODES = DEMO.purchaseCodes;
const NIGHT = 'nightly-purchase-check.json';
const FORM = 'purchase-support-form.json';

/** Each example reads the code from its own kind of trigger. */
async function check(stage: Stage, file: string, codes: string[], apiKey: string) {
	const { nodes = [] } = (await readExamples()).get(file) ?? {};
	const node = nodes.find(({ type }) => type === 'n8n-nodes-linkstore.store');
	return await stage.store('purchase.validate', node?.parameters as INodeParameters, {
		rows: codes.map((code) => ({ code, 'Purchase code': code })),
		settings: { onError: node?.onError as INode['onError'] & string },
		credential: { apiKey },
	});
}

const verdicts = ({ outputs }: StageResult) =>
	outputs.flat().map(({ json }) => ['valid' in json, 'error' in json]);

const UNKNOWN = [false, true];

describe.each(['documented', 'seen'] as const)('in %s', (dialect) => {
	const stage = onStage(new Stage(dialect, { seed: 'demo' }));

	test.each([
		[NIGHT, [undefined, undefined, undefined]],
		[FORM, [true, false, false]],
	])(
		'%s tells codes apart, and calls none invalid when the store is down',
		async (file, matches) => {
			const codes = [CODES.valid, CODES.withoutSupport, CODES.invalid];
			const { json } = await check(stage, file, codes, DEMO.store.apiKey);
			expect(json.map((item) => item.valid)).toEqual([true, true, false]);
			expect(json.map((item) => item.item_matches)).toEqual(matches);
			stage.sandbox.faults.add({ kind: 'http-500', service: 'store', times: 99 });
			const down = await check(stage, file, codes, DEMO.store.apiKey);
			expect(verdicts(down)).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
		},
	);
});

describe('with a refused key that gets the words for invalid codes', () => {
	const stage = onStage(new Stage({ storeKeyWords: 'endpoint' }, { seed: 'demo' }));

	test.each([NIGHT, FORM])('%s calls no code invalid', async (file) => {
		const refused = await check(stage, file, [CODES.valid, CODES.withoutSupport], 'revoked');
		expect(verdicts(refused)).toEqual([UNKNOWN, UNKNOWN]);
	});
});
