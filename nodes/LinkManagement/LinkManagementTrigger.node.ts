import type { INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { runPoll } from '../shared/polling';
import { emitExistingField, eventField } from '../shared/pollingFields';
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
		subtitle: '={{ $parameter["event"] }}',
		description: 'Starts the workflow when a short link or something else was created',
		defaults: { name: 'Link Management Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
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
						description:
							'Whether to fetch targeting, expiry and statistics of each new link, which takes one more request per link',
					},
				],
			},
		],
	};

	async poll(this: IPollFunctions) {
		return await runPoll(this, watchLists);
	}
}
