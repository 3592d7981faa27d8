import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';

export const campaignGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'campaign',
	operations: ['getAll'],
});
