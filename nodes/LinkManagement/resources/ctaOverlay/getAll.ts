import type { INodeProperties } from 'n8n-workflow';

import { returnAllAndLimit } from '../../../shared/fields';

export const ctaOverlayGetAllFields: INodeProperties[] = returnAllAndLimit({
	resource: 'ctaOverlay',
	operations: ['getAll'],
});
