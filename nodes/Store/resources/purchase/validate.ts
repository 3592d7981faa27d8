import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../../shared/values/failure';
import { inBody } from '../../../shared/operations/fields';
import { idIn, isRecord, mapIn } from '../../../shared/values/json';
import type {
	ResponseContext,
	ItemContext,
	ItemRequest,
} from '../../../shared/operations/operation';
import { readId } from '../../../shared/values/path';
import type { Operation } from '../../../shared/operations/nodeProperties';
import { requiredText } from '../../../shared/values/text';
import { requireRecord } from '../../../shared/http/response';
import { storeOperation } from '../../results';

export const purchaseValidate: Operation = {
	name: 'Validate',
	value: 'validate',
	action: 'Validate a purchase code',
	description: 'Check a purchase code, and get the purchase with its item if it is valid',
	request: { method: 'POST', url: '/api/purchases/validation' },
	pagination: storeOperation({
		isRead: true,
		body: validationBody,
		results: validatedPurchase,
		recover: invalidPurchase,
	}),
	fields: [
		{
			displayName: 'Purchase Code',
			name: 'purchaseCode',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36',
			description: 'The code that the buyer got',
			routing: inBody('purchase_code'),
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Expected Item ID',
					name: 'expectedItemId',
					type: 'string',
					default: '',
					placeholder: 'e.g. 42',
					description:
						'The item that the code should be for; the output then says in item_matches whether it is',
				},
				{
					displayName: 'If Code Is Invalid',
					name: 'onInvalid',
					type: 'options',
					options: [
						{
							name: 'Output the Reason',
							value: 'output',
							description: 'Return an item in which valid is false',
						},
						{ name: 'Fail', value: 'error', description: 'Fail, as the setting On Error says' },
					],
					default: 'output',
					description:
						'What to do with an invalid code. A store that cannot be reached is always a failure.',
				},
			],
		},
	],
};

function validationBody(body: IDataObject, { read }: ItemContext): IDataObject {
	const { expectedItemId } = mapIn(read('options'));
	if (hasValue(expectedItemId)) readId('expectedItemId', expectedItemId);
	return { ...body, purchase_code: requiredText('Purchase Code', body.purchase_code) };
}

/** The purchase, and what people ask of it: whether its support is active, and whether it is for the item they mean. */
function validatedPurchase(
	body: IDataObject,
	_request: ItemRequest,
	{ at, read }: ResponseContext,
): IDataObject[] {
	const { item, ...purchase } = purchaseRecord(body, at);
	const { expectedItemId } = mapIn(read('options'));
	const itemId = isRecord(item) ? idIn(item.id) : undefined;
	return [
		{
			...purchase,
			...(hasValue(expectedItemId) ? { item_matches: itemId === idIn(expectedItemId) } : {}),
			item,
		},
	];
}

/**
 * The purchase of a valid code (document: "Purchase"), with the state of its support. The item is last, because it is
 * by far the largest member.
 * @param at when the store answered, in epoch milliseconds
 */
export function purchaseRecord(body: IDataObject, at: number): IDataObject {
	const { item, ...purchase } = requireRecord(requireRecord(body, 'data'), 'purchase');
	return { valid: true, ...purchase, ...support(purchase.supported_until, at), item };
}

/** The store's own words for an invalid code (document: "Errors"). Any other failure says nothing about the code. */
const INVALID_CODE = /\binvalid purchase code\b/i;

/** Whether the store said that there is no such code. */
export function isInvalidCode({ kind, message }: Pick<Failure, 'kind' | 'message'>): boolean {
	return kind === 'refused' && INVALID_CODE.test(message);
}

function invalidPurchase(
	{ kind, message }: Failure,
	{ body }: ItemRequest,
	{ read }: ItemContext,
): IDataObject[] | undefined {
	if (!isInvalidCode({ kind, message })) return undefined;
	if (mapIn(read('options')).onInvalid === 'error') return undefined;
	return [{ valid: false, purchase_code: body.purchase_code, reason: message }];
}

const DAY_MS = 86_400_000;

/**
 * Whether support is active, and the days of it that are left, a begun one counted; 0 without support.
 * @param until `supported_until`, left out by the store when support is disabled or not offered
 * @param at epoch milliseconds
 */
export function support(until: unknown, at: number): IDataObject {
	const left = typeof until === 'string' ? Date.parse(until) - at : Number.NaN;
	const isActive = left > 0;
	return { support_active: isActive, support_days_left: isActive ? Math.ceil(left / DAY_MS) : 0 };
}

function hasValue(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}
