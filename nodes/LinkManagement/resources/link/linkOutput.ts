// How links stand beside the columns of a row.

import type { OutputColumns } from '../../../shared/operations/operation';
import { isBlank } from '../../../shared/values/input';

/** The values of `outcome` in a row with a short URL. */
const OUTCOMES = [
	'created',
	'existing',
	'unchanged',
	'updated',
	'would be created',
	'would be updated',
];

export const LINK_OUTPUT: OutputColumns = {
	first: ['outcome', 'error', 'shorturl'],
	prefix: 'link',
	isWritten: ({ outcome, error, shorturl }) =>
		outcome === 'skipped' ||
		(outcome === 'failed' && !isBlank(error)) ||
		(OUTCOMES.includes(String(outcome)) && !isBlank(shorturl)),
};
