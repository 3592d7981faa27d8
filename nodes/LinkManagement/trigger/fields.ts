import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../shared/operations/fields';
import { emitExistingField } from '../../shared/triggers/eventFields';
import { channelLocator, linkLocator, qrCodeLocator } from '../locators';

const shownFor = (...events: string[]) => ({ show: { event: events } });

const optional = ({ required: _required, ...field }: INodeProperties): INodeProperties => field;

/** The fields of the Link Management Trigger below the event. */
export const triggerFields: INodeProperties[] = [
	{
		...channelLocator,
		description: 'The channel to watch. The list finds it by name or ID.',
		displayOptions: shownFor('channelItemAdded'),
	},
	{
		displayName: 'Milestones',
		name: 'milestones',
		type: 'string',
		required: true,
		default: '100, 1000, 10000',
		placeholder: 'e.g. 100, 1000, 10000',
		description:
			'The counts at which the workflow starts, once each. If several are passed between two polls, only the highest starts it.',
		hint: 'Milestones passed before publishing do not start the workflow',
		displayOptions: shownFor('clicksReached', 'scansReached'),
	},
	{
		...optional(linkLocator),
		displayName: 'Only This Link',
		description:
			'The link to watch, for 1 request a poll. Leave it empty to watch all: 1 request per 100 links above the lowest milestone.',
		displayOptions: shownFor('clicksReached'),
	},
	{
		...optional(qrCodeLocator),
		displayName: 'Only This QR Code',
		description:
			'The QR code to watch, for 1 request a poll. Leave it empty to watch all: 1 request per 100 codes.',
		displayOptions: shownFor('scansReached'),
	},
	{
		displayName: 'Only These Links',
		name: 'links',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Link',
		default: {},
		description:
			'The links to watch, at most 20, for 1 request each a poll. Without any, all links are read: 1 request per 100 of them, at most 20 a poll.',
		displayOptions: shownFor('linkClicked'),
		options: [
			{
				displayName: 'Link',
				name: 'link',
				values: [optional(linkLocator)],
			},
		],
	},
	{
		...optionsField([
			emitExistingField,
			{
				displayName: 'Include Details',
				name: 'includeDetails',
				type: 'boolean',
				default: false,
				displayOptions: { show: { '/event': ['linkCreated', 'qrCodeCreated'] } },
				description:
					'Whether to fetch the details and statistics of each new record, with one more request each: for a link its targeting and expiry, too',
			},
		]),
		// This event has none of the options.
		displayOptions: { hide: { event: ['linkClicked'] } },
	},
];
