import type { INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { credentialTest } from '../shared/http/credentialTest';
import { optionsField } from '../shared/operations/fields';
import { runPoll } from '../shared/triggers/poll';
import { emitExistingField, eventField, eventSubtitle } from '../shared/triggers/eventFields';
import { storeService } from './service';
import { CODE_EVENTS, EVENTS } from './trigger/events';
import { watchStore } from './trigger/watchStore';

/** Starts a workflow when the store has something new; see `trigger/watchStore.ts`. */
export class StoreTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Store Trigger',
		name: 'storeTrigger',
		icon: { light: 'file:../../icons/store.svg', dark: 'file:../../icons/store.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle(EVENTS),
		// The editor's search shows node and trigger as one entry, with the trigger's description.
		description:
			'Validate purchase codes, read items, or start a workflow when a code becomes valid, support ends soon or an item is new',
		defaults: { name: 'Store Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'storeApi', required: true, testedBy: 'testStoreApi' }],
		properties: [
			eventField(EVENTS, 'newPurchase'),
			{
				displayName:
					'Enter the codes to watch, for example from a form or a sheet. The store cannot list purchases.',
				name: 'codesNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { event: CODE_EVENTS } },
			},
			{
				displayName: 'Purchase Codes',
				name: 'purchaseCodes',
				type: 'string',
				typeOptions: { rows: 4 },
				required: true,
				default: '',
				placeholder: 'e.g. 7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36',
				description: 'One code per line or separated by commas, or an array from an expression',
				displayOptions: { show: { event: CODE_EVENTS } },
			},
			{
				displayName: 'Days Before',
				name: 'daysBefore',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 14,
				description: 'How many days before support ends the workflow starts',
				displayOptions: { show: { event: ['supportEnding'] } },
			},
			optionsField([
				{
					displayName: 'Checks per Poll',
					name: 'checksPerPoll',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 25,
					description:
						'How many codes to check in each poll, with one request each. New codes go first, the others follow in turn.',
					displayOptions: { show: { '/event': CODE_EVENTS } },
				},
				emitExistingField,
			]),
		],
	};

	methods = {
		credentialTest: { testStoreApi: credentialTest(storeService) },
	};

	async poll(this: IPollFunctions) {
		return await runPoll(this, watchStore);
	}
}
