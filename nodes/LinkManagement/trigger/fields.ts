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
		hint: 'A name is looked up once: 1 request per 100 channels',
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
			'The counts to start the workflow at, each once. Of several that were passed since the last poll, only the highest starts it.',
		hint: 'What is there when the workflow is published is only noted',
		displayOptions: shownFor('clicksReached', 'scansReached'),
	},
	{
		...optional(linkLocator),
		displayName: 'Only This Link',
		description: 'The link to watch, for 1 request a poll. Leave it empty to watch all.',
		hint: 'A short URL or alias is looked up once: 1 request per 100 links. Without a link, a poll takes 1 request per 100 links above the lowest milestone.',
		displayOptions: shownFor('clicksReached'),
	},
	{
		...optional(qrCodeLocator),
		displayName: 'Only This QR Code',
		description: 'The QR code to watch, for 1 request a poll. Leave it empty to watch all.',
		hint: 'Without a QR code, all are read: 1 request per 100 of them, at most 20 a poll',
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
				values: [
					{
						...optional(linkLocator),
						// Here, because the editor shows no hint for the collection.
						hint: 'A short URL or alias is looked up once: 1 request per 100 links',
					},
				],
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
					'Whether to fetch the details and statistics of each new record: of a link, its targeting and expiry, too',
				hint: 'Takes one more request per new record',
			},
		]),
		// This event has none of the options.
		displayOptions: { hide: { event: ['linkClicked'] } },
	},
];
