import type { INodeProperties } from 'n8n-workflow';

import { qrCodeLocator } from '../../locators';

export const qrCodeDeleteFields: INodeProperties[] = [
	qrCodeLocator({ resource: 'qrCode', operations: ['delete'] }),
];
