import { operation, type RunOperation } from '../shared/operations/runOperation';
import type { OperationPlan } from '../shared/operations/prepareItem';
import { storeService } from './service';

export const storeOperation = (plan: OperationPlan): RunOperation => operation(storeService, plan);
