import type { WorkflowJson, WorkflowNode } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';

export const TRIGGER = 'Start';
export const ROWS = 'Rows';
const WEBHOOK = 'Webhook';

export type Step = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & Partial<WorkflowNode>;

/** A workflow that gives the rows to the first of the steps, and what each gives out to the next. */
export function chain(name: string, rows: JsonRecord[], steps: Step[]): WorkflowJson {
	return inLine(name, [
		{ name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: ROWS,
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` },
		},
		...steps,
	]);
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
			name: WEBHOOK,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path, responseMode, responseData: 'noData' },
			webhookId: path,
		},
		splitOut(ROWS, 'body.rows'),
		...steps,
	]);
}

/** A workflow in which each step gets what the one before it gives out. */
export function inLine(name: string, steps: Step[]): WorkflowJson {
	const nodes: WorkflowNode[] = steps.map((step, index) => ({
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

/** A step that makes an item of each entry of a list. */
export function splitOut(name: string, field: string): Step {
	return { name, type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: field } };
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

/** n8n takes no poll time that comes more often than once a minute, but as many poll times as one likes. */
export const EVERY_FEW_SECONDS = {
	item: Array.from({ length: 12 }, (_, number) => ({
		mode: 'custom',
		cronExpression: `${number * 5} * * * * *`,
	})),
};

/** The workflow with triggers that poll so often, because n8n's minutes are long for those who wait. */
export function polledOften(workflow: WorkflowJson): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		'pollTimes' in node.parameters
			? { ...node, parameters: { ...node.parameters, pollTimes: EVERY_FEW_SECONDS } }
			: node,
	);
	return { ...workflow, nodes };
}

/** A locator's value, chosen by id. */
export function byId(value: unknown): JsonRecord {
	return { __rl: true, mode: 'id', value };
}
