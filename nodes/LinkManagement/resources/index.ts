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
	resource('Link', 'link', link.linkCreate, link),
	resource('Account', 'account', account.accountGet, account),
	resource('Campaign', 'campaign', campaign.campaignCreate, campaign),
	resource('Channel', 'channel', channel.channelGetAll, channel),
	resource('CTA Overlay', 'ctaOverlay', ctaOverlay.ctaOverlayGetAll, ctaOverlay),
	resource('Domain', 'domain', domain.domainGetAll, domain),
	resource('Pixel', 'pixel', pixel.pixelGetAll, pixel),
	resource('QR Code', 'qrCode', qrCode.qrCodeCreate, qrCode),
	resource('Splash Page', 'splashPage', splashPage.splashPageGetAll, splashPage),
];
