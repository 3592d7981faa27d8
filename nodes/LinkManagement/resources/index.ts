import type { Resource } from '../../shared/resources';
import * as account from './account';
import * as campaign from './campaign';
import * as channel from './channel';
import * as ctaOverlay from './ctaOverlay';
import * as domain from './domain';
import * as link from './link';
import * as pixel from './pixel';
import * as qrCode from './qrCode';
import * as splashPage from './splashPage';

/** What the node offers. */
export const resources: readonly Resource[] = [
	{
		name: 'Account',
		value: 'account',
		preselected: account.accountGet,
		operations: Object.values(account),
	},
	{
		name: 'Campaign',
		value: 'campaign',
		preselected: campaign.campaignCreate,
		operations: Object.values(campaign),
	},
	{
		name: 'Channel',
		value: 'channel',
		preselected: channel.channelGetAll,
		operations: Object.values(channel),
	},
	{
		name: 'CTA Overlay',
		value: 'ctaOverlay',
		preselected: ctaOverlay.ctaOverlayGetAll,
		operations: Object.values(ctaOverlay),
	},
	{
		name: 'Domain',
		value: 'domain',
		preselected: domain.domainGetAll,
		operations: Object.values(domain),
	},
	{
		name: 'Link',
		value: 'link',
		preselected: link.linkCreate,
		operations: Object.values(link),
	},
	{
		name: 'Pixel',
		value: 'pixel',
		preselected: pixel.pixelGetAll,
		operations: Object.values(pixel),
	},
	{
		name: 'QR Code',
		value: 'qrCode',
		preselected: qrCode.qrCodeCreate,
		operations: Object.values(qrCode),
	},
	{
		name: 'Splash Page',
		value: 'splashPage',
		preselected: splashPage.splashPageGetAll,
		operations: Object.values(splashPage),
	},
];
