import type { WorkflowJson, WorkflowNode } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

export const TRIGGER = 'Start';
export const ROWS = 'Rows';

type Step = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & Partial<WorkflowNode>;

/** A workflow that gives the rows to the first of the steps, and what each gives out to the next. */
export function chain(name: string, rows: JsonRecord[], steps: Step[]): WorkflowJson {
	const nodes: WorkflowNode[] = [
		{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: ROWS,
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` },
		},
		...steps,
	].map((step, index) => ({
		typeVersion: 1,
		position: [index * 200, 0],
		...step,
	}));
	const connections: JsonRecord = {};
	nodes.forEach(({ name: from }, index) => {
		const next = nodes[index + 1];
		if (next === undefined) return;
		connections[from] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	});
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** A step of the Link Management node. */
export function link(name: string, operation: string, parameters: JsonRecord): Step {
	return {
		name,
		type: 'n8n-nodes-linkstore.linkManagement',
		parameters: { resource: 'link', operation, ...parameters },
		credentials: { linkManagementApi: { name: 'Link Management account' } },
	};
}

/** A step of the Store node. */
export function purchase(name: string, operation: string, parameters: JsonRecord): Step {
	return {
		name,
		type: 'n8n-nodes-linkstore.store',
		parameters: { resource: 'purchase', operation, ...parameters },
		credentials: { storeApi: { name: 'Store account' } },
	};
}

/** A locator's value, chosen by id. */
export function byId(value: unknown): JsonRecord {
	return { __rl: true, mode: 'id', value };
}
