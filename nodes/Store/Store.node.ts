import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { credentialTest } from '../shared/http/credentialTest';
import { nodeProperties, SUBTITLE, unknownOperation } from '../shared/operations/nodeProperties';
import { JSON_REQUEST } from '../shared/http/connection';
import { listSearch } from './locators';
import { resources } from './resources';
import { storeService } from './service';

/** The store service: its operations are in `resources`, run by `shared/operations/execute.ts`. */
export class Store implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Store',
		name: 'store',
		icon: { light: 'file:../../icons/store.svg', dark: 'file:../../icons/store.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Validate purchase codes, and read the items and the account of a store',
		defaults: { name: 'Store' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'storeApi', required: true, testedBy: 'testStoreApi' }],
		builderHint: { searchHint: 'Purchase codes and license keys: Purchase > Validate' },
		requestDefaults: { ...JSON_REQUEST },
		requestOperations: { pagination: unknownOperation },
		properties: nodeProperties(storeService, resources, 'purchase'),
	};

	methods = { credentialTest: { testStoreApi: credentialTest(storeService) }, listSearch };
}
