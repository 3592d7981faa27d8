import { returnAllAndLimit } from '../../../shared/fields';
import type { Operation } from '../../../shared/resources';
import { linkList, record } from '../../service';

export const ctaOverlayGetAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many CTA overlays',
	description: 'List the CTA overlays of the account',
	request: { method: 'GET', url: '/api/overlay' },
	pagination: linkList('cta', record),
	fields: returnAllAndLimit,
};
