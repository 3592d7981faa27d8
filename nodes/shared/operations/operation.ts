// What a file in `resources` exports: an operation. And a resource, the operations of a folder. What runs them: runOperation.ts.

import type { OperationData } from './operationPlan';
import type { RunOperation } from './runOperation';

export interface Operation extends OperationData {
	name: string;
	/** Saved in workflows; the file is named after it. */
	value: string;
	action: string;
	description: string;
	pagination: RunOperation;
}

export interface Resource {
	name: string;
	value: string;
	defaultOperation: Operation;
	operations: readonly Operation[];
}

/** A resource with the operations that the `index.ts` of its folder exports. */
export const resource = (
	name: string,
	value: string,
	defaultOperation: Operation,
	operations: Readonly<Record<string, Operation>>,
): Resource => ({ name, value, defaultOperation, operations: Object.values(operations) });
