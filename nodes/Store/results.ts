// What the operations of the store have in common; the same file as that of the links.

import { runOperation, type RunOperation } from '../shared/operations/runOperation';
import type { OperationPlan } from '../shared/operations/operationPlan';
import { storeService } from './service';

export const storeOperation = <Checked>(plan: OperationPlan<Checked>): RunOperation =>
	runOperation(storeService, plan);
