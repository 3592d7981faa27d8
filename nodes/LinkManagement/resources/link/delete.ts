import type { INodeProperties } from 'n8n-workflow';

import { linkLocator } from '../../locators';

export const linkDeleteFields: INodeProperties[] = [
	linkLocator({ resource: 'link', operations: ['delete'] }),
];
