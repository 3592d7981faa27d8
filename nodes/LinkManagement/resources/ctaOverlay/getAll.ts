import type { Operation } from '../../../shared/operations/nodeProperties';
import { linkList, listFields } from '../../listOperations';
import { record } from '../../records';

export const ctaOverlayGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many CTA overlays',
	description: 'List the CTA overlays of the account',
	request: { method: 'GET', url: '/api/overlay' },
	pagination: linkList('cta', record),
	fields: listFields('cta'),
};
