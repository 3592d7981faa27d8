import { type Resource, resource } from '../../shared/operations/operation';
import * as account from './account';
import * as item from './item';
import * as purchase from './purchase';

export const resources: readonly Resource[] = [
	resource('Account', 'account', 'get', account),
	resource('Item', 'item', 'getAll', item),
	resource('Purchase', 'purchase', 'validate', purchase),
];
