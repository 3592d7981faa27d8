import type { INodeProperties } from 'n8n-workflow';

import { linkLocator } from '../../locators';

export const linkGetFields: INodeProperties[] = [
	linkLocator({ resource: 'link', operations: ['get'] }),
];
