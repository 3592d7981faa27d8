import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { pixels } from '../../lists';

export const pixelGetAll: Operation = {
	...getMany(pixels),
	action: 'Get many pixels',
	description: 'List the tracking pixels of the account',
};
