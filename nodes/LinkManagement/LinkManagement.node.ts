import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { credentialTest } from '../shared/http/credentialTest';
import { nodeProperties, unknownOperation } from '../shared/operations/nodeProperties';
import { JSON_REQUEST } from '../shared/http/connection';
import { listSearch } from './locators';
import { HINTS } from './hints';
import { resources } from './resources';
import { linkService } from './service';

/** The link management service: its operations are in `resources`, run by `shared/operations/runOperation.ts`. */
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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create and manage short links, QR codes, campaigns and branded domains',
		defaults: { name: 'Link Management' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		hints: HINTS,
		builderHint: {
			searchHint:
				'Short links, QR codes, campaigns and branded domains. For rows of a sheet use Link > Create or Update with Mapping Mode set to Map Automatically: a second run changes only what differs. The node runs once for each item, and paces and retries its requests, so it needs no Loop Over Items and no Wait.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-linkstore.linkManagementTrigger',
					relationHint: 'Starts a workflow on new links and other records, clicks and milestones',
				},
				{
					nodeType: 'n8n-nodes-base.googleSheets',
					relationHint: 'Rows with URLs as input, and short links written back',
				},
			],
		},
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementApi' }],
		requestDefaults: { ...JSON_REQUEST },
		requestOperations: { pagination: unknownOperation },
		properties: nodeProperties(resources, 'link'),
	};

	methods = { credentialTest: { testLinkManagementApi: credentialTest(linkService) }, listSearch };
}
