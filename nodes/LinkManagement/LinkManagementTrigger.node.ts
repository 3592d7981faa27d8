import type { INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { credentialTest } from '../shared/http/credentialTest';
import { runPoll } from '../shared/triggers/poll';
import { emitExistingField, eventField, eventSubtitle } from '../shared/triggers/eventFields';
import { linkService } from './envelope';
import { EVENTS } from './trigger/events';
import { watchLists } from './trigger/watchLists';

/** Starts a workflow when the link management service has something new; see `trigger/watchLists.ts`. */
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
		subtitle: eventSubtitle(EVENTS),
		// In its search the editor shows node and trigger as one, with the words of the trigger.
		description:
			'Create, change and count short links, QR codes and campaigns, or start a workflow when one is new',
		defaults: { name: 'Link Management Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementApi' }],
		properties: [
			eventField(EVENTS, 'linkCreated'),
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					emitExistingField,
					{
						displayName: 'Include Details',
						name: 'includeDetails',
						type: 'boolean',
						default: false,
						displayOptions: { show: { '/event': ['linkCreated'] } },
						description: 'Whether to fetch targeting, expiry and statistics of each new link',
						hint: 'Takes one more request per new link',
					},
				],
			},
		],
	};

	methods = {
		credentialTest: { testLinkManagementApi: credentialTest(linkService) },
	};

	async poll(this: IPollFunctions) {
		return await runPoll(this, watchLists);
	}
}
