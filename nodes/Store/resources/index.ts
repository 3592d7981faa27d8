import { type Resource, resource } from '../../shared/operations/operation';
import * as account from './account';
import * as item from './item';
import * as purchase from './purchase';

export const resources: readonly Resource[] = [
	resource('Account', 'account', account.accountGet, account),
	resource('Item', 'item', item.itemGetAll, item),
	resource('Purchase', 'purchase', purchase.purchaseValidate, purchase),
];
