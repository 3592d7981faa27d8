// The pages that a link can show before its target. The API only lists them (document: "CTA overlay (read-only)", "Splash page
// (read-only)").

import type { Operation } from '../../shared/operations/operation';
import { getMany } from '../getMany';
import { ctaOverlays, splashPages } from '../serviceLists';

const getOverlays: Operation = {
	...getMany(ctaOverlays),
	action: 'Get many CTA overlays',
	description: 'Return the CTA overlays of the account, one item each',
};

const getSplashPages: Operation = {
	...getMany(splashPages),
	action: 'Get many splash pages',
	description: 'Return the custom splash pages of the account, one item each',
};

export const ctaOverlay = { getOverlays };

export const splashPage = { getSplashPages };
