import type { WorkflowJson, WorkflowNode } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

export const TRIGGER = 'Start';
export const ROWS = 'Rows';

export type Step = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & Partial<WorkflowNode>;

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

/** A step of the Link Management node, the operation given as `campaign.create`. */
export function linkManagement(name: string, operation: string, parameters: JsonRecord = {}): Step {
	return {
		name,
		type: 'n8n-nodes-linkstore.linkManagement',
		parameters: { ...parsed(operation), ...parameters },
		credentials: { linkManagementApi: { name: 'Link Management account' } },
	};
}

/** A step of the Store node, the operation given as `purchase.validate`. */
export function store(name: string, operation: string, parameters: JsonRecord = {}): Step {
	return {
		name,
		type: 'n8n-nodes-linkstore.store',
		parameters: { ...parsed(operation), ...parameters },
		credentials: { storeApi: { name: 'Store account' } },
	};
}

function parsed(name: string): JsonRecord {
	const [resource, operation] = name.split('.');
	return { resource, operation };
}

/** A step on links. */
export function link(name: string, operation: string, parameters: JsonRecord): Step {
	return linkManagement(name, `link.${operation}`, parameters);
}

/** A step on purchases. */
export function purchase(name: string, operation: string, parameters: JsonRecord): Step {
	return store(name, `purchase.${operation}`, parameters);
}

/** A locator's value, chosen by id. */
export function byId(value: unknown): JsonRecord {
	return { __rl: true, mode: 'id', value };
}
