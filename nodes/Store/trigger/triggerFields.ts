// The fields of the trigger's panel.

import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../shared/operations/panelFields';
import { emitExistingField } from '../../shared/triggers/poll';
import { watchedItemField } from '../locators';

/** The events of purchases. The API cannot list purchases, so the user enters their codes. */
const CODE_EVENTS = ['newPurchase', 'purchaseInvalid', 'supportEnded', 'supportEnding'];

/** The events that existing records can start, too. */
const EXISTING_EVENTS = ['newItem', 'newPurchase', 'supportEnded', 'supportEnding'];

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Purchase Codes',
		name: 'purchaseCodes',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. 7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36\n5f1c2a90-7d3e-4b52-8c0f-2e6d9a417b58',
		description:
			'One code per line or separated by commas, or an array from an expression; words around a code do not matter. For codes in a sheet, validate them on a schedule with the Store node instead.',
		displayOptions: { show: { event: CODE_EVENTS } },
	},
	{
		displayName: 'Days Before',
		name: 'daysBefore',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 14,
		description:
			'How many days before the end of support to start the workflow; 0 starts it when support has ended',
		displayOptions: { show: { event: ['supportEnding'] } },
	},
	{ ...watchedItemField, displayOptions: { show: { event: ['itemUpdated'] } } },
	{
		...optionsField([
			{
				displayName: 'Checks per Poll',
				name: 'checksPerPoll',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 25,
				description:
					'How many codes to check per poll, with 1 request each. New codes are checked first, the others in turn.',
				displayOptions: { show: { '/event': CODE_EVENTS } },
			},
			{ ...emitExistingField, displayOptions: { show: { '/event': EXISTING_EVENTS } } },
		]),
		// These events have no options.
		displayOptions: { hide: { event: ['balanceChanged', 'itemUpdated'] } },
	},
];
