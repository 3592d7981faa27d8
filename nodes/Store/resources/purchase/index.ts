import type { INodeProperties } from 'n8n-workflow';

import { operationField } from '../../../shared/fields';
import { storeOperation } from '../../service';
import {
	invalidPurchase,
	purchaseValidateFields,
	validatedPurchase,
	validationBody,
} from './validate';

/** Purchases (document: "Purchase"). */
export const purchase: INodeProperties[] = [
	operationField(
		'purchase',
		[
			{
				name: 'Validate',
				value: 'validate',
				action: 'Validate a purchase code',
				description: 'Check a purchase code, and get the purchase with its item if it is valid',
				routing: {
					request: { method: 'POST', url: '/api/purchases/validation' },
					operations: {
						pagination: storeOperation({
							isRead: true,
							body: validationBody,
							results: validatedPurchase,
							recover: invalidPurchase,
						}),
					},
				},
			},
		],
		'validate',
	),
	...purchaseValidateFields,
];
