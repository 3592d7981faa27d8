import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';

export const channelGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'channel',
	operations: ['getAll'],
});
