import type { RunOperation } from '../shared/operations/runOperation';
import type { OperationPlan } from '../shared/operations/prepareItem';
import { operation } from '../shared/operations/runOperation';
import { storeService } from './service';

export const storeOperation = (plan: OperationPlan): RunOperation => operation(storeService, plan);
