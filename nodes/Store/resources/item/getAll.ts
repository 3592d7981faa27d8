import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';
import type { OperationPlan } from '../../../shared/operation';
import { limitOf } from '../../../shared/operation';
import { isEmptyList, itemRecord, promisedItems } from '../../service';

export const itemGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'item',
	operations: ['getAll'],
});

/** The API has no pages: one request brings all items, and the limit is kept here. */
export const listedItems: OperationPlan['results'] = (body, _request, { read }) =>
	promisedItems(body).slice(0, limitOf(read)).map(itemRecord);

export const noItems: NonNullable<OperationPlan['recover']> = (failure) =>
	isEmptyList(failure) ? [] : undefined;
