// Short links (document: "Short link").

import type { Operation } from '../../../shared/operations/operation';
import { linkLocator } from '../../locators';
import { deletion } from '../../writeResults';

export { create } from './create';
export { get } from './get';
export { getAll } from './getAll';
export { getStatistics } from './getStatistics';
export { update } from './update';
export { upsert } from './upsert';

export const remove: Operation = {
	...deletion('/api/url/:linkId/delete', linkLocator),
	action: 'Delete short link',
	description: 'Permanently delete a short link, and return its ID',
};
