import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';

export const splashPageGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'splashPage',
	operations: ['getAll'],
});
