import type { Operation } from '../../../shared/operations/operation';
import { getMany } from '../../listOperations';
import { ctaOverlays } from '../../lists';

export const ctaOverlayGetAll: Operation = {
	...getMany(ctaOverlays),
	action: 'Get many CTA overlays',
	description: 'Return the CTA overlays of the account, one item each',
};
