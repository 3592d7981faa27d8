import type { INodeProperties } from 'n8n-workflow';

import { channelLocator } from '../../locators';

export const channelDeleteFields: INodeProperties[] = [
	channelLocator({ resource: 'channel', operations: ['delete'] }),
];
