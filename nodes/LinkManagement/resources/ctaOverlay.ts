// CTA overlays, which a link can show on its target page. The API only lists them (document: "CTA overlay (read-only)").

import { type Operation } from '../../shared/operations/operation';
import { getMany } from '../getMany';
import { ctaOverlays } from '../serviceLists';

export const getAll: Operation = {
	...getMany(ctaOverlays),
	action: 'Get many CTA overlays',
	description: 'Return the CTA overlays of the account, one item each',
};
