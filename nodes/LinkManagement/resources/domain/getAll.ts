import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';

export const domainGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'domain',
	operations: ['getAll'],
});
