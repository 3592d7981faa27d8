// What the operations of the store have in common; the same file as that of the links.

import { runOperation, type RunOperation } from '../shared/operations/runOperation';
import type { Plan } from '../shared/operations/operation';
import { storeService } from './service';

export const storeOperation = (plan: Plan): RunOperation => runOperation(storeService, plan);
