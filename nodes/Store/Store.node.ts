import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { resourceField } from '../shared/fields';
import { credentialTest } from '../shared/lookup';
import { REQUEST_DEFAULTS } from '../shared/service';
import { listSearch } from './locators';
import { account } from './resources/account';
import { item } from './resources/item';
import { purchase } from './resources/purchase';
import { storeService } from './service';

/** The store service: every request goes through the exchange, see `shared/operation.ts`. */
export class Store implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Store',
		name: 'store',
		icon: { light: 'file:../../icons/store.svg', dark: 'file:../../icons/store.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Validate purchase codes and read items of a store',
		defaults: { name: 'Store' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'storeApi', required: true, testedBy: 'testStoreApi' }],
		requestDefaults: { ...REQUEST_DEFAULTS },
		properties: [
			resourceField(
				[
					{ name: 'Account', value: 'account' },
					{ name: 'Item', value: 'item' },
					{ name: 'Purchase', value: 'purchase' },
				],
				'purchase',
			),
			...account,
			...item,
			...purchase,
		],
	};

	methods = {
		credentialTest: { testStoreApi: credentialTest(storeService) },
		listSearch,
	};
}
