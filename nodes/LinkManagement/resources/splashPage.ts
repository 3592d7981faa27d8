// Splash pages, which a link can show before its target. The API only lists them (document: "Splash page (read-only)").

import { type Operation } from '../../shared/operations/operation';
import { getMany } from '../getMany';
import { splashPages } from '../serviceLists';

export const getAll: Operation = {
	...getMany(splashPages),
	action: 'Get many splash pages',
	description: 'Return the custom splash pages of the account, one item each',
};
