import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';

export const qrCodeGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'qrCode',
	operations: ['getAll'],
});
