import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../n8n-host/client.ts';

export type Step = Pick<INode, 'name' | 'type' | 'parameters'> & Partial<INode>;

/** A workflow that is started by hand. */
export function chain(name: string, steps: Step[]): WorkflowJson {
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	return inLine(name, [start, ...steps]);
}

/**
 * A workflow that gets its rows from whoever calls its webhook, once it is published.
 *
 * @param responseMode when the caller gets an answer: at once, or when the last of the steps has ended
 */
export function webhookChain(
	name: string,
	path: string,
	responseMode: 'onReceived' | 'lastNode',
	steps: Step[],
): WorkflowJson {
	return inLine(name, [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path, responseMode, responseData: 'noData' },
			webhookId: path,
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body.rows' },
		},
		...steps,
	]);
}

/** A workflow in which each step gets what the one before it gives out. */
export function inLine(name: string, steps: Step[]): WorkflowJson {
	const nodes: INode[] = steps.map((step, index) => ({
		id: step.name,
		typeVersion: 1,
		position: [index * 200, 0],
		...step,
	}));
	const connections: IConnections = {};
	nodes.forEach(({ name: from }, index) => {
		const next = nodes[index + 1];
		if (next === undefined) return;
		connections[from] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	});
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

const stepOf =
	(node: 'linkManagement' | 'store', resource: string) =>
	(name: string, operation: string, parameters: INodeParameters): Step => ({
		name,
		type: `n8n-nodes-linkstore.${node}`,
		parameters: { resource, operation, ...parameters },
	});

/** A step on links. */
export const link = stepOf('linkManagement', 'link');
/** A step on QR codes. */
export const qrCode = stepOf('linkManagement', 'qrCode');
/** A step on purchases. */
export const purchase = stepOf('store', 'purchase');

/** A locator's value, chosen by id. */
export function byId(value: string | number): INodeParameters {
	return { __rl: true, mode: 'id', value };
}
