import type { Resource } from '../../shared/operations/nodeProperties';
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
		defaultOperation: account.accountGet,
		operations: Object.values(account),
	},
	{
		name: 'Campaign',
		value: 'campaign',
		defaultOperation: campaign.campaignCreate,
		operations: Object.values(campaign),
	},
	{
		name: 'Channel',
		value: 'channel',
		defaultOperation: channel.channelGetAll,
		operations: Object.values(channel),
	},
	{
		name: 'CTA Overlay',
		value: 'ctaOverlay',
		defaultOperation: ctaOverlay.ctaOverlayGetAll,
		operations: Object.values(ctaOverlay),
	},
	{
		name: 'Domain',
		value: 'domain',
		defaultOperation: domain.domainGetAll,
		operations: Object.values(domain),
	},
	{
		name: 'Link',
		value: 'link',
		defaultOperation: link.linkCreate,
		operations: Object.values(link),
	},
	{
		name: 'Pixel',
		value: 'pixel',
		defaultOperation: pixel.pixelGetAll,
		operations: Object.values(pixel),
	},
	{
		name: 'QR Code',
		value: 'qrCode',
		defaultOperation: qrCode.qrCodeCreate,
		operations: Object.values(qrCode),
	},
	{
		name: 'Splash Page',
		value: 'splashPage',
		defaultOperation: splashPage.splashPageGetAll,
		operations: Object.values(splashPage),
	},
];
