import { readFileSync } from 'node:fs';

import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { DEMO } from '../../sandbox/demo.ts';
import type { SavedWorkflow } from './engine.ts';
import { nodeType, runNode, runWorkflow } from './engine.ts';
import { Stage } from './support.ts';

/** Each operation with all of its parameters, as the editor saved them with 1.0.0, and the requests that 1.0.0 sent. */
interface SavedNode {
	node: 'linkManagement' | 'store';
	operation: string;
	parameters: INodeParameters;
	requests: Array<{ request: string; query?: object; body?: object }>;
}

const SAVED = JSON.parse(readFileSync('test/engine/saved-1.0.0.json', 'utf8')) as SavedNode[];

const stage = new Stage();

beforeAll(async () => {
	await stage.open();
	await stage.enter();
	// An update without a URL reads this one.
	await stage.make('/api/url/add', { url: 'https://example.com/1' });
});

afterAll(async () => {
	await stage.close();
});

describe('a node that 1.0.0 saved', () => {
	test.each(SAVED)(
		'sends what it sent then: $operation',
		async ({ node, parameters, requests }) => {
			stage.sandbox.clearRequests();
			const { [`${node}Api`]: credential = {} } = stage.credentials;
			await runNode({ type: node, parameters, credentials: { [`${node}Api`]: credential } });
			const sent = stage.sent().map(({ request, query, body }) => ({ request, query, body }));
			expect(sent).toEqual(requests.map((request) => ({ query: {}, body: undefined, ...request })));
		},
	);

	test.each(SAVED)('has no issues in the editor: $operation', ({ node: type, parameters }) => {
		const { description } = nodeType(`n8n-nodes-linkstore.${type}`);
		const node: INode = {
			...{ id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0] },
			parameters: {},
		};
		const withDefaults = NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			true,
			false,
			node,
			description,
		);
		const opened = { ...node, parameters: withDefaults ?? {} };
		const { properties } = description;
		expect(NodeHelpers.getNodeParametersIssues(properties, opened, description)).toBeNull();
	});

	test('is there for each of its operations', () => {
		expect(new Set(SAVED.map(({ node, operation }) => `${node} ${operation}`)).size).toBe(37);
	});
});

describe('a workflow saved in the editor', () => {
	beforeAll(() => {
		const { store } = stage.sandbox;
		store.addPurchase(store.addItem(stage.storeAccount.id), { code: DEMO.purchaseCodes.valid });
	});

	test.each(['1.123', '2.40'])('of n8n %s runs', async (release) => {
		const file = `test/engine/saved-in-n8n-${release}.json`;
		const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedWorkflow;
		const { error, runData } = (await runWorkflow(saved, stage.credentials)).data.resultData;
		expect(error).toBeUndefined();
		const given = (node: string) => runData[node]?.[0]?.data?.main?.[0]?.[0]?.json;
		expect(given('Newest')).toMatchObject({ title: 'Saved in the editor' });
		expect(given('Check')).toMatchObject({ valid: true });
	});
});
