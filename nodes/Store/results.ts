import type { RunOperation } from '../shared/operations/operation';
import type { OperationPlan } from '../shared/operations/prepareItem';
import { operation } from '../shared/operations/operation';
import { storeService } from './service';

export const storeOperation = (plan: OperationPlan): RunOperation => operation(storeService, plan);
