import { randomUUID } from 'node:crypto';

import type { Step } from '../../e2e/workflow.ts';
import { purchase } from '../../e2e/workflow.ts';
import { demoAccess } from '../../n8n-host/instance.ts';
import type { JsonRecord } from '../../n8n-host/json.ts';
import { millisecondsOf, NO_LIMIT } from '../bench.ts';
import { differing, inTurns, ratios, withSpread } from '../figures.ts';
import { httpRequest } from '../httpRequest.ts';
import type { Section } from '../section.ts';
import { always, Tally } from '../section.ts';

const CODES = 500;
const REPEATED = 50;
const DIFFERENT = CODES - REPEATED;
const ROUNDS = 5;
const NODE = 'Node';

const OURS = purchase(NODE, 'validate', { purchaseCode: '={{ $json.code }}' });

function theirs(baseUrl: string): Step {
	return httpRequest(NODE, {
		credential: 'storeApi',
		method: 'POST',
		url: `${baseUrl}/api/purchases/validation`,
		body: { purchase_code: '={{ $json.code }}' },
	});
}

export const validation: Section = {
	title: 'Validating purchase codes',
	async run(bench) {
		const sandbox = await bench.sandbox({ rateLimit: NO_LIMIT });
		const { id, apiKey } = await sandbox.registerStoreAccount({ email: 'codes@example.com' });
		const item = sandbox.store.addItem(id);
		const codes = Array.from({ length: DIFFERENT }, () =>
			sandbox.store.addPurchase(item, { code: randomUUID() }),
		);
		const rows = [...codes, ...codes.slice(0, REPEATED)].map((code) => ({ code }));
		const n8n = await bench.n8n();
		await n8n.connect({ ...demoAccess(sandbox), storeApiKey: apiKey }, 0);

		const tally = new Tally();
		const timed = async (step: Step, isValid: (answer: JsonRecord) => boolean) => {
			const workflow = await n8n.publish([step]);
			return async () => {
				sandbox.clearRequests();
				const result = await workflow.run(rows);
				const valid = result.items(NODE).filter(({ json }) => isValid(json));
				tally.expect(`valid codes of ${step.type}`, valid.length, CODES);
				return { requests: sandbox.requests.length, ms: millisecondsOf(result, NODE) };
			};
		};
		const [ours = [], others = []] = await inTurns(ROUNDS, [
			await timed(OURS, ({ valid }) => valid === true),
			await timed(theirs(sandbox.storeUrl), ({ status }) => status === 'success'),
		]);
		const requests = ours.map((run) => run.requests);
		const times = [ours, others].map((runs) => runs.map(({ ms }) => ms));
		return {
			notes: [
				`_Purchase > Validate_ with ${CODES} valid codes, ${REPEATED} of which come twice. The store has no limit. The HTTP Request ` +
					'node asks for every row.',
			],
			tables: [
				{
					head: ['Codes', 'Requests', 'Requests, HTTP Request', 'Time ÷ HTTP Request'],
					rows: [
						[
							`${CODES}, ${DIFFERENT} different`,
							differing(requests),
							differing(others.map((run) => run.requests)),
							withSpread(ratios(...times)),
						],
					],
				},
			],
			targets: [
				always(
					`${CODES} codes, ${REPEATED} of them repeated: requests`,
					DIFFERENT,
					requests,
					`${DIFFERENT}, one a different code`,
				),
			],
			wrong: tally.wrong,
		};
	},
};
