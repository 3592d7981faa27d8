import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';
import { channelLocator } from '../../locators';

const show = { resource: 'channel', operations: ['getItems'] };

export const channelGetItemsFields: INodeProperties[] = [
	channelLocator(show),
	...returnAllAndLimit(show),
];
