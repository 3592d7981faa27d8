import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { pixels } from '../../lists';

export const pixelGetAll: Operation = {
	...getMany(pixels),
	action: 'Get many pixels',
	description: 'Return the tracking pixels of the account, one item each',
};
