import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { resourceField } from '../shared/fields';
import { credentialTest } from '../shared/lookup';
import { REQUEST_DEFAULTS } from '../shared/service';
import { listSearch } from './locators';
import { account } from './resources/account';
import { campaign } from './resources/campaign';
import { channel } from './resources/channel';
import { ctaOverlay } from './resources/ctaOverlay';
import { domain } from './resources/domain';
import { link } from './resources/link';
import { pixel } from './resources/pixel';
import { qrCode } from './resources/qrCode';
import { splashPage } from './resources/splashPage';
import { linkService } from './service';

/** The link management service: every request goes through the exchange, see `shared/operation.ts`. */
export class LinkManagement implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management',
		name: 'linkManagement',
		icon: {
			light: 'file:../../icons/linkManagement.svg',
			dark: 'file:../../icons/linkManagement.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create and manage short links',
		defaults: { name: 'Link Management' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementApi' }],
		requestDefaults: { ...REQUEST_DEFAULTS },
		properties: [
			resourceField(
				[
					{ name: 'Account', value: 'account' },
					{ name: 'Campaign', value: 'campaign' },
					{ name: 'Channel', value: 'channel' },
					{ name: 'CTA Overlay', value: 'ctaOverlay' },
					{ name: 'Domain', value: 'domain' },
					{ name: 'Link', value: 'link' },
					{ name: 'Pixel', value: 'pixel' },
					{ name: 'QR Code', value: 'qrCode' },
					{ name: 'Splash Page', value: 'splashPage' },
				],
				'link',
			),
			...account,
			...campaign,
			...channel,
			...ctaOverlay,
			...domain,
			...link,
			...pixel,
			...qrCode,
			...splashPage,
		],
	};

	methods = {
		credentialTest: { testLinkManagementApi: credentialTest(linkService) },
		listSearch,
	};
}
