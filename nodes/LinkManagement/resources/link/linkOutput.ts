// How links stand beside the columns of a row.

import type { OutputColumns } from '../../../shared/operations/operation';

/** The values of `outcome`, by which a row of an earlier run is known. */
const WITH_LINK = ['created', 'existing', 'unchanged', 'updated', 'would be updated'];
const WITHOUT_LINK = ['failed', 'skipped', 'would be created'];

export const LINK_OUTPUT: OutputColumns = {
	first: ['outcome', 'error', 'shorturl'],
	prefix: 'link',
	writtenBy: {
		member: 'outcome',
		beside: 'shorturl',
		values: WITH_LINK,
		valuesAlone: WITHOUT_LINK,
		idBeside: 'clicks',
	},
};
