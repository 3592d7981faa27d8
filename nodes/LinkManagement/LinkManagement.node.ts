import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { resourceField } from '../shared/fields';
import { credentialTest } from '../shared/lookup';
import { REQUEST_DEFAULTS } from '../shared/service';
import { listSearch } from './locators';
import { account } from './resources/account';
import { link } from './resources/link';
import { linkService } from './service';

/** The link management service: every request goes through the exchange, see `shared/operation.ts`. */
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
		description: 'Create and manage short links',
		defaults: { name: 'Link Management' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementApi' }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}', ...REQUEST_DEFAULTS },
		properties: [
			resourceField(
				[
					{ name: 'Account', value: 'account' },
					{ name: 'Link', value: 'link' },
				],
				'link',
			),
			...account,
			...link,
		],
	};

	methods = {
		credentialTest: { testLinkManagementApi: credentialTest(linkService) },
		listSearch,
	};
}
