import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { credentialTest } from '../shared/http/credentialTest';
import { nodeProperties, SUBTITLE, unknownOperation } from '../shared/operations/nodeProperties';
import { JSON_REQUEST } from '../shared/http/connection';
import { listSearch } from './locators';
import { resources } from './resources';
import { linkService } from './service';

/** The link management service: its operations are in `resources`, run by `shared/operations/execute.ts`. */
export class LinkManagement implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management',
		name: 'linkManagement',
		icon: {
			light: 'file:../../icons/linkManagement.svg',
			dark: 'file:../../icons/linkManagement.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Create and manage short links, QR codes, campaigns and branded domains',
		defaults: { name: 'Link Management' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementApi' }],
		builderHint: { searchHint: 'Links of a sheet: Link > Create or Update, Map Automatically' },
		requestDefaults: { ...JSON_REQUEST },
		requestOperations: { pagination: unknownOperation },
		properties: nodeProperties(linkService, resources, 'link'),
	};

	methods = { credentialTest: { testLinkManagementApi: credentialTest(linkService) }, listSearch };
}
