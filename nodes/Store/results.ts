import { operation, type RunOperation } from '../shared/operations/runOperation';
import type { OperationPlan } from '../shared/operations/operationPlan';
import { storeService } from './service';

export const storeOperation = <Checked>(plan: OperationPlan<Checked>): RunOperation =>
	operation(storeService, plan);
