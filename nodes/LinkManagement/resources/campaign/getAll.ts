import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkList, listFields } from '../../listOperations';
import { campaignRecord } from '../../records';

export const campaignGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaigns',
	description: 'List the campaigns of the account',
	request: { method: 'GET', url: '/api/campaigns' },
	pagination: linkList('campaigns', campaignRecord),
	fields: listFields('campaigns'),
};
