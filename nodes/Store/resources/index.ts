import type { Resource } from '../../shared/operations/nodeProperties';
import * as account from './account';
import * as item from './item';
import * as purchase from './purchase';

export const resources: readonly Resource[] = [
	{
		name: 'Account',
		value: 'account',
		defaultOperation: account.accountGet,
		operations: Object.values(account),
	},
	{
		name: 'Item',
		value: 'item',
		defaultOperation: item.itemGetAll,
		operations: Object.values(item),
	},
	{
		name: 'Purchase',
		value: 'purchase',
		defaultOperation: purchase.purchaseValidate,
		operations: Object.values(purchase),
	},
];
