import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';

export const pixelGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'pixel',
	operations: ['getAll'],
});
