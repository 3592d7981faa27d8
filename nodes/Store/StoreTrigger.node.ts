import {
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { credentialTest } from '../shared/http/credentialTest';
import { runPoll } from '../shared/triggers/runPoll';
import { eventField } from '../shared/triggers/poll';
import { listSearch } from './locators';
import { storeService } from './service';
import { EVENTS, trigger } from './trigger/events';
import { triggerFields } from './trigger/triggerFields';

/** Starts a workflow when the store has something new; see `trigger/events.ts`. */
export class StoreTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Store Trigger',
		name: 'storeTrigger',
		icon: { light: 'file:../../icons/store.svg', dark: 'file:../../icons/store.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"].replace(/[A-Z]/g, " $&").toLowerCase() }}',
		// The editor's search shows node and trigger as one entry, with the trigger's description.
		description:
			'Validate purchase codes, read items, or start a workflow when a code becomes valid or invalid, support ends, an item is new or updated, or the balance changes',
		defaults: { name: 'Store Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'storeApi', required: true, testedBy: 'testStoreApi' }],
		builderHint: { searchHint: 'On a code that becomes invalid, or whose support ends' },
		properties: [eventField(EVENTS, 'newPurchase'), ...triggerFields],
	};

	methods = { credentialTest: { testStoreApi: credentialTest(storeService) }, listSearch };

	async poll(this: IPollFunctions) {
		return await runPoll(this, trigger);
	}
}
