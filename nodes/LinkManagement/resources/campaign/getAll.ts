import { returnAllAndLimit } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { campaignRecord } from '../../records';
import { linkList } from '../../results';

export const campaignGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaigns',
	description: 'List the campaigns of the account',
	request: { method: 'GET', url: '/api/campaigns' },
	pagination: linkList('campaigns', campaignRecord),
	fields: returnAllAndLimit,
};
