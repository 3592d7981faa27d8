import type { INodeProperties } from 'n8n-workflow';

import { qrCodeLocator } from '../../locators';

export const qrCodeGetFields: INodeProperties[] = [
	qrCodeLocator({ resource: 'qrCode', operations: ['get'] }),
];
