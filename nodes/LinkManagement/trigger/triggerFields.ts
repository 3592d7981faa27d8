// The fields of the trigger's panel.

import type { INodeProperties } from 'n8n-workflow';

import { optionalField, optionsField } from '../../shared/operations/panelFields';
import { emitExistingField } from '../../shared/triggers/poll';
import { channelLocator, linkLocator, qrCodeLocator } from '../locators';

const forEvents = (...events: string[]) => ({ show: { event: events } });

export const channelField: INodeProperties = {
	...channelLocator,
	description: 'The channel to watch. A name is looked up in the first poll.',
	displayOptions: forEvents('channelItemAdded'),
};

export const watchedLinkField: INodeProperties = {
	...optionalField(linkLocator),
	displayName: 'Only This Link',
	description:
		'The link to watch, with 1 request per poll. If empty, all links are watched, with 1 request per 100 links.',
	displayOptions: forEvents('clicksReached', 'linkClicked'),
};

export const watchedQrCodeField: INodeProperties = {
	...optionalField(qrCodeLocator),
	displayName: 'Only This QR Code',
	description:
		'The QR code to watch, with 1 request per poll. If empty, all QR codes are watched, with 1 request per 100 codes.',
	displayOptions: forEvents('scansReached'),
};

export const triggerFields: INodeProperties[] = [
	channelField,
	{
		displayName: 'Milestones',
		name: 'milestones',
		type: 'string',
		required: true,
		default: '100, 1000, 10000',
		placeholder: 'e.g. 100, 1000, 10000',
		description:
			'The counts at which the workflow starts, once each. If several are reached between two polls, only the highest starts it.',
		hint: 'Milestones that are already reached when you publish are skipped, unless Include Existing Records is on',
		displayOptions: forEvents('clicksReached', 'scansReached'),
	},
	watchedLinkField,
	watchedQrCodeField,
	{
		...optionsField([
			{
				displayName: 'Include Details',
				name: 'includeDetails',
				type: 'boolean',
				default: true,
				displayOptions: { show: { '/event': ['linkCreated', 'qrCodeCreated'] } },
				description:
					'Whether to also fetch the details and statistics of each new record, such as the targeting and expiry of a link, with 1 more request each',
			},
			emitExistingField,
		]),
		// This event has none of the options.
		displayOptions: { hide: { event: ['linkClicked'] } },
	},
];
