import type { INodeProperties } from 'n8n-workflow';

import { campaignLocator } from '../../locators';

export const campaignDeleteFields: INodeProperties[] = [
	campaignLocator({ resource: 'campaign', operations: ['delete'] }),
];
