import type { INodeParameters } from 'n8n-workflow';

import type { N8nClient, WorkflowJson } from '../n8n-host/client.ts';
import { inLine } from './workflow.ts';

const TRIGGER = 'When something is new';
/** Durable cursors are kept by the id of their node. */
const ID = '5a1c1000-0000-4000-8000-00000000000';

/** n8n takes no poll time that comes more often than once a minute, but as many poll times as one likes. */
const EVERY_FEW_SECONDS = {
	item: Array.from({ length: 12 }, (_, number) => ({
		mode: 'custom',
		cronExpression: `${number * 5} * * * * *`,
	})),
};

/** A workflow that begins with one of the package's triggers. */
export function pollingWorkflow(
	name: string,
	type: 'linkManagementTrigger' | 'storeTrigger',
	parameters: INodeParameters,
): WorkflowJson {
	return inLine(name, [
		{
			id: `${ID}1`,
			name: TRIGGER,
			type: `n8n-nodes-linkstore.${type}`,
			parameters: { ...parameters, options: {}, pollTimes: EVERY_FEW_SECONDS },
		},
		{ id: `${ID}2`, name: 'Done', type: 'n8n-nodes-base.noOp', parameters: {} },
	]);
}

/** A member of all items that the trigger has given to executions so far, in their order. */
export async function givenBy(
	client: N8nClient,
	workflowId: string,
	member: string,
): Promise<unknown[]> {
	const values: unknown[] = [];
	for (const { id } of (await client.executions(workflowId)).toReversed()) {
		const execution = await client.finished(id);
		values.push(...execution.json(TRIGGER).map((item) => item[member]));
	}
	return values;
}
