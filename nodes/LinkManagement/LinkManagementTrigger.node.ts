import {
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { credentialTest } from '../shared/http/credentialTest';
import { unsent } from '../shared/operations/nodeProperties';
import { runPoll } from '../shared/triggers/runPoll';
import { eventField } from '../shared/triggers/poll';
import { linkService } from './service';
import { listSearch } from './locators';
import { EVENTS, trigger } from './trigger/events';
import { triggerFields } from './trigger/triggerFields';

/** Starts a workflow when the link management service has something new; see `trigger/events.ts`. */
export class LinkManagementTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management Trigger',
		name: 'linkManagementTrigger',
		icon: {
			light: 'file:../../icons/linkManagement.svg',
			dark: 'file:../../icons/linkManagement.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"].replace(/[A-Z]/g, " $&").toLowerCase() }}',
		// The editor's search shows node and trigger as one entry, with the trigger's description.
		description:
			'Create and manage short links, QR codes and campaigns, or start a workflow when one is created or clicked',
		defaults: { name: 'Link Management Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementApi' }],
		builderHint: { searchHint: 'On a new link, QR code or campaign, or on clicks' },
		properties: [eventField(EVENTS, 'linkCreated'), ...triggerFields.map(unsent)],
	};

	methods = { credentialTest: { testLinkManagementApi: credentialTest(linkService) }, listSearch };

	async poll(this: IPollFunctions) {
		return await runPoll(this, trigger);
	}
}
