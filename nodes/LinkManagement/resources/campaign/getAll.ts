import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { campaignRecord, linkList } from '../../service';

export const campaignGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaigns',
	description: 'List the campaigns of the account',
	request: { method: 'GET', url: '/api/campaigns' },
	pagination: linkList('campaigns', campaignRecord),
	fields: returnAllAndLimit,
};
