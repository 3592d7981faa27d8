import type { Resource } from '../../shared/resources';
import * as account from './account';
import * as item from './item';
import * as purchase from './purchase';

/** What the node offers. */
export const resources: readonly Resource[] = [
	{
		name: 'Account',
		value: 'account',
		preselected: account.accountGet,
		operations: Object.values(account),
	},
	{ name: 'Item', value: 'item', preselected: item.itemGetAll, operations: Object.values(item) },
	{
		name: 'Purchase',
		value: 'purchase',
		preselected: purchase.purchaseValidate,
		operations: Object.values(purchase),
	},
];
