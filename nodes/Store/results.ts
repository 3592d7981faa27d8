import type { OperationPlan, Pagination } from '../shared/operations/operation';
import { oneRequest } from '../shared/operations/operation';
import { storeService } from './envelope';

/** An operation of one request. */
export const storeOperation = (plan: OperationPlan): Pagination => oneRequest(storeService, plan);
