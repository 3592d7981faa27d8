// How links stand beside the columns of a row.

import type { OutputColumns } from '../../../shared/operations/operation';

export const LINK_OUTPUT: OutputColumns = { first: ['outcome', 'error', 'shorturl'] };
