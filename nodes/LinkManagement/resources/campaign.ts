// Campaigns: groups of short links with a rotator address (document: "Campaign").

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../shared/operations/operation';
import { inBody } from '../../shared/operations/requestFields';
import { parseBoolean, parseLine } from '../../shared/values/input';
import {
	additionalFields,
	includeInputFieldsAlone,
	textField,
	updateFields,
} from '../resourceFields';
import { getMany } from '../getMany';
import { campaigns } from '../serviceLists';
import { assignedLinkLocator, campaignLocator } from '../locators';
import { campaignRecord } from '../records';
import { change, creation, deletion, membersOf, requireId, updateResult } from '../writeResults';

/** What create and update have in common. */
const fields: readonly INodeProperties[] = [
	{
		displayName: 'Public',
		name: 'public',
		type: 'boolean',
		default: true,
		description: 'Whether everyone can see the list of the links in the campaign',
		routing: inBody('public', parseBoolean),
	},
	{
		...textField('Slug', 'slug', 'spring'),
		description:
			'The last part of the rotator address, which leads to one of the links of the campaign',
		routing: inBody('slug', parseLine, ''),
	},
];

const nameField: INodeProperties = {
	...textField('Name', 'campaignName', 'Spring Sale'),
	routing: inBody('name'),
};

export const assignLink: Operation = {
	name: 'Assign Link',
	value: 'assignLink',
	action: 'Assign link to campaign',
	description: 'Add a short link to a campaign, and return both IDs',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:assignedLinkId' },
	toItems(body, { ids: { campaignId = 0, assignedLinkId: linkId = 0 }, ...request }, context) {
		return updateResult(body, { ...request, ids: { campaignId, linkId } }, context);
	},
	fields: [campaignLocator, assignedLinkLocator, includeInputFieldsAlone],
};

export const create: Operation = {
	...creation('/api/campaign/add'),
	action: 'Create campaign',
	description: 'Create a campaign to group short links, and return its ID',
	toItems: (body) => [campaignRecord({ ...membersOf(body), id: requireId(body) })],
	fields: [
		{
			...nameField,
			description: 'The name of the campaign; the service chooses one if it is empty',
		},
		additionalFields(fields),
	],
};

export const remove: Operation = {
	...deletion('/api/campaign/:campaignId/delete', campaignLocator),
	action: 'Delete campaign',
	description: 'Permanently delete a campaign, but not its links, and return its ID',
};

export const getAll: Operation = {
	...getMany(campaigns),
	action: 'Get many campaigns',
	description: 'Return the campaigns of the account, one item each',
};

export const update: Operation = {
	...change('/api/campaign/:campaignId/update'),
	action: 'Update campaign',
	description: 'Change the fields of a campaign that have a value, and return its ID',
	// This is the only update whose response has the record.
	toItems: (body, { ids }) => [
		{ success: true, ...campaignRecord({ id: ids.campaignId, ...membersOf(body) }) },
	],
	fields: [
		campaignLocator,
		{
			...nameField,
			required: true,
			description: 'The name of the campaign; the API requires it on every update',
		},
		updateFields(fields),
	],
};
