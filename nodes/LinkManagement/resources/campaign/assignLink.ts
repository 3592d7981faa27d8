import type { INodeProperties } from 'n8n-workflow';

import { campaignLocator, linkLocator } from '../../locators';

const show = { resource: 'campaign', operations: ['assignLink'] };

export const campaignAssignLinkFields: INodeProperties[] = [
	campaignLocator(show),
	linkLocator(show),
];
