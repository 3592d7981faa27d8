import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { includeInputFields, optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import type { ItemContext, ItemRequest, ResponseContext } from '../../../shared/operations/plan';
import { inBody } from '../../../shared/operations/sentFields';
import type { Failure } from '../../../shared/values/failure';
import { idIn, mapIn, pickedValue, requireRecord } from '../../../shared/values/json';
import type { ReadParameter } from '../../../shared/values/path';
import { readId } from '../../../shared/values/path';
import { isBlank } from '../../../shared/values/text';
import { expectedItemField } from '../../locators';
import { storeOperation } from '../../results';
import { shownPurchase, simplifyFields } from '../../simplify';

const fields: readonly INodeProperties[] = [
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
	...simplifyFields,
	optionsField([
		expectedItemField,
		includeInputFields,
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
	]),
];

export const purchaseValidate: Operation = {
	name: 'Validate',
	value: 'validate',
	action: 'Validate purchase code',
	description: 'Check a purchase code, and get the purchase with its item if it is valid',
	request: { method: 'POST', url: '/api/purchases/validation' },
	pagination: storeOperation({
		isRead: true,
		fields,
		body(body, { read }) {
			expectedItemId(read);
			return body;
		},
		results: validatedPurchase,
		recover: invalidPurchase,
	}),
	fields,
};

/**
 * The item that the user means, if any.
 * @throws Failure if it is no id
 */
function expectedItemId(read: ReadParameter): number | undefined {
	const { expectedItemId: entered } = mapIn(read('options'));
	const id = pickedValue(entered);
	return isBlank(id) ? undefined : readId('expectedItemId', id);
}

/** The purchase, with whether its support is active, and whether it is for the expected item. */
function validatedPurchase(
	body: IDataObject,
	_request: ItemRequest,
	{ at, read }: ResponseContext,
): IDataObject[] {
	const { item, ...purchase } = purchaseRecord(body, at);
	const expected = expectedItemId(read);
	const matches = expected === undefined ? {} : { item_matches: idIn(mapIn(item).id) === expected };
	return [shownPurchase({ ...purchase, ...matches, item }, read)];
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
 * Whether support is active, and how many days of it are left, rounded up; 0 without support.
 * @param until `supported_until`, left out by the store when support is disabled or not offered
 * @param at epoch milliseconds
 */
export function support(until: unknown, at: number): IDataObject {
	const left = typeof until === 'string' ? Date.parse(until) - at : Number.NaN;
	const isActive = left > 0;
	return { support_active: isActive, support_days_left: isActive ? Math.ceil(left / DAY_MS) : 0 };
}
