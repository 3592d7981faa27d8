import type { OperationPlan, Pagination } from '../shared/operations/plan';
import { operation } from '../shared/operations/operation';
import { storeService } from './service';

/** An operation of the store. */
export const storeOperation = (plan: OperationPlan): Pagination => operation(storeService, plan);
