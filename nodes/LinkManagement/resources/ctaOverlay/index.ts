import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { linkList, record } from '../../service';
import { ctaOverlayGetAllFields } from './getAll';

/** CTA overlays, which the API can only list (document: "CTA overlay (read-only)"). */
export const ctaOverlay: INodeProperties[] = [
	operationField(
		'ctaOverlay',
		[
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many CTA overlays',
				description: 'List the CTA overlays of the account',
				routing: {
					request: { method: 'GET', url: '/api/overlay' },
					operations: { pagination: linkList('cta', record) },
				},
			},
		],
		'getAll',
	),
	...ctaOverlayGetAllFields,
];
