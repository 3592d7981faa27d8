import type { INodeProperties } from 'n8n-workflow';

import { domainLocator } from '../../locators';

export const domainDeleteFields: INodeProperties[] = [
	domainLocator({ resource: 'domain', operations: ['delete'] }),
];
