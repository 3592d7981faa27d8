import { type Resource, resource } from '../../shared/operations/operation';
import * as account from './account';
import * as campaign from './campaign';
import * as channel from './channel';
import * as ctaOverlay from './ctaOverlay';
import * as domain from './domain';
import * as link from './link';
import * as pixel from './pixel';
import * as qrCode from './qrCode';
import * as splashPage from './splashPage';

/** Links come first, because the list of actions has the same order. */
export const resources: readonly Resource[] = [
	resource('Link', 'link', 'create', link),
	resource('Account', 'account', 'get', account),
	resource('Campaign', 'campaign', 'create', campaign),
	resource('Channel', 'channel', 'getAll', channel),
	resource('CTA Overlay', 'ctaOverlay', 'getAll', ctaOverlay),
	resource('Domain', 'domain', 'getAll', domain),
	resource('Pixel', 'pixel', 'getAll', pixel),
	resource('QR Code', 'qrCode', 'create', qrCode),
	resource('Splash Page', 'splashPage', 'getAll', splashPage),
];
