// How links stand beside the columns of a row.

import type { OutputColumns } from '../../../shared/operations/operation';

/** The values of `outcome`, by which a row of an earlier run is known. */
const OUTCOMES = [
	'created',
	'existing',
	'failed',
	'skipped',
	'unchanged',
	'updated',
	'would be created',
	'would be updated',
];

export const LINK_OUTPUT: OutputColumns = {
	first: ['outcome', 'error', 'shorturl'],
	prefix: 'link',
	writtenBy: { member: 'outcome', values: OUTCOMES, beside: 'shorturl' },
};
