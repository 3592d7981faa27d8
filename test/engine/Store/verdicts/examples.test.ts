import type { INode, INodeParameters } from 'n8n-workflow';

import { readExamples } from '../../../n8n-host/instance.ts';
import { onStage, Stage } from '../../helpers/support.ts';
import { doubtfulCredentials, sell, STORES } from './stores.ts';

/** No example calls a genuine code invalid, whatever the store, and whatever is wrong with the key. */

const FILES = ['nightly-purchase-check.json', 'purchase-support-form.json'];

describe.each(STORES)('%s', (_title, dialect) => {
	const stage = onStage(new Stage(dialect));

	test.each([true, false])('with a known code: %j', async (hasKnownCode) => {
		const examples = await readExamples();
		const codes = [sell(stage), sell(stage)];
		const credentials = doubtfulCredentials(stage, hasKnownCode ? sell(stage) : undefined);
		// Each credential with one of the examples, and each example with several.
		for (const [at, credential] of credentials.entries()) {
			const file = FILES[at % FILES.length] ?? '';
			const { nodes = [] } = examples.get(file) ?? {};
			const node = nodes.find(({ type }) => type === 'n8n-nodes-linkstore.store');
			const { outputs } = await stage.store(
				'purchase.validate',
				node?.parameters as INodeParameters,
				{
					rows: codes.map((code) => ({ code, 'Purchase code': code, body: { code } })),
					settings: { onError: node?.onError as INode['onError'] & string },
					credential,
				},
			);
			const items = outputs.flat().map(({ json }) => json);
			expect(items).toHaveLength(codes.length);
			expect([file, credential, items.filter(({ valid }) => valid === false)]).toEqual([
				...[file, credential, []],
			]);
		}
	});
});
