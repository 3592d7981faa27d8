import { type INode, Workflow } from 'n8n-workflow';

import { nodeType } from '../helpers/engine.ts';

/** What the canvas shows under the name of a node. */
function subtitleOf(type: string, event: string): unknown {
	const { description } = nodeType(type);
	const parameters = { event };
	const node: INode = { id: '1', name: 'T', type, typeVersion: 1, position: [0, 0], parameters };
	const nodeTypes = {
		getByName: nodeType,
		getByNameAndVersion: nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(node, description.subtitle, 'internal', {});
}

test.each([
	['n8n-nodes-linkstore.storeTrigger', 'balanceChanged', 'balance changed'],
	['n8n-nodes-linkstore.linkManagementTrigger', 'qrCodeCreated', 'qr code created'],
])('the subtitle of %s reads as words', (type, event, words) => {
	expect(subtitleOf(type, event)).toBe(words);
});
