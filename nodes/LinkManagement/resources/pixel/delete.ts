import type { INodeProperties } from 'n8n-workflow';

import { pixelLocator } from '../../locators';

export const pixelDeleteFields: INodeProperties[] = [
	pixelLocator({ resource: 'pixel', operations: ['delete'] }),
];
