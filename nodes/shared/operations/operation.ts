// `Operation`, which each file in `resources` exports, and `Resource`, the operations of a folder. runOperation.ts runs them.

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
