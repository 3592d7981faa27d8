import type { IDataObject } from 'n8n-workflow';

import { inBody, updateFields } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requireChanges } from '../../../shared/values/text';
import { channelLocator } from '../../locators';
import { linkOperation, updateResult } from '../../results';
import { channelBody, channelFields } from './fields';

export const channelUpdate: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a channel',
	description: 'Change a channel; fields that are not added stay as they are',
	request: { method: 'PUT', url: '/api/channel/:channelId/update' },
	pagination: linkOperation({ body: changedChannelBody, results: updateResult }),
	fields: [
		channelLocator,
		updateFields([
			...channelFields,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Newsletter',
				description: 'The new name of the channel',
				routing: inBody('name'),
			},
		]),
	],
};

function changedChannelBody(body: IDataObject): IDataObject {
	return channelBody(requireChanges(body));
}
