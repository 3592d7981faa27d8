import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { includeInputFields, maxWaitOption, optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/operation';
import { simplifyField } from '../../../shared/operations/simplify';
import type { Form } from '../../../shared/operations/form';
import type { Item } from '../../../shared/operations/item';
import type { ItemRequest } from '../../../shared/operations/operationPlan';
import type { ItemResult } from '../../../shared/operations/steps';
import { Failure, toFailure } from '../../../shared/values/failure';
import { idIn, mapIn, pickedValue, recordsIn } from '../../../shared/values/json';
import { emptyFailure, isBlank, parseId } from '../../../shared/values/input';
import { expectedItemsField } from '../../locators';
import { proveKey } from '../../proveKey';
import { checkCode, type Checked, invalidPurchase } from '../../purchase';
import { isAboutCode, namingCodes, purchaseCode } from '../../purchaseCode';
import { storeOperation } from '../../results';
import { purchaseOutput } from '../../simplify';

export const purchaseValidate: Operation = {
	name: 'Validate',
	value: 'validate',
	action: 'Validate purchase code',
	description: 'Check a purchase code, and get the purchase with its item if it is valid',
	request: { method: 'POST', url: '/api/purchases/validation' },
	pagination: storeOperation({
		isRead: true,
		noResult,
		check: checkedCode,
		perform: validate,
	}),
	fields: [
		{
			displayName: 'Purchase Code',
			name: 'purchaseCode',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 7f3a9c52-1b8e-4d60-9a47-c5e2f0d81b36',
			description: 'The code that the buyer received',
		},
		simplifyField,
		optionsField([
			expectedItemsField,
			includeInputFields,
			maxWaitOption,
			{
				displayName: 'If Code Is Blank',
				name: 'onBlank',
				type: 'options',
				options: [
					{ name: 'Fail', value: 'error', description: 'Stop, or continue as set in On Error' },
					{
						name: 'Treat as Invalid',
						value: 'invalid',
						description: 'Handle it like an invalid code, without asking the store',
					},
				],
				default: 'error',
				description: 'What to do with a row that has no code',
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
					{ name: 'Fail', value: 'error', description: 'Stop, or continue as set in On Error' },
				],
				default: 'output',
				description:
					'What to do with a code that the store calls invalid. If the store cannot be reached, the node always fails.',
			},
		]),
	],
};

/** The columns of a purchase, without one. */
function noResult(_why: string, { simplify, options }: INodeParameters): IDataObject {
	const expected = expectedItemsField.name in mapIn(options) ? [] : undefined;
	const columns = purchaseOutput(withMatch(invalidPurchase('', ''), expected), () => simplify);
	return Object.fromEntries(Object.keys(columns).map((name) => [name, null]));
}

interface Asked {
	code: string;
	/** The items the code may be for; undefined if the user does not ask for that. */
	expected: number[] | undefined;
	isInvalidError: boolean;
}

function checkedCode({ parameter }: Form): Asked {
	const options = mapIn(parameter('options'));
	const { [expectedItemsField.name]: held } = options;
	const expected = expectedItems(held);
	const code = purchaseCode('Purchase Code', parameter('purchaseCode'));
	if (code === '' && options.onBlank !== 'invalid') throw emptyFailure('Purchase Code');
	return {
		code,
		expected: held === undefined ? undefined : expected,
		isInvalidError: options.onInvalid === 'error',
	};
}

async function validate(
	_request: ItemRequest,
	item: Item,
	{ code, expected, isInvalidError }: Asked,
): Promise<ItemResult[]> {
	const { connection, form } = item;
	const blank = { purchase: undefined, reason: 'The purchase code is blank' };
	const check = async (): Promise<Pick<Checked, 'purchase' | 'reason'>> => {
		const onProof = item.beginProof();
		const checked = await checkCode(code, item.send, connection).catch(named(code));
		if (checked.purchase) onProof();
		else item.awaitProof(async (sendProof) => await proveKey(sendProof, connection));
		return checked;
	};
	const { purchase, reason } = code === '' ? blank : await check();
	const result = (record: IDataObject): ItemResult[] => [
		{ json: purchaseOutput(withMatch(record, expected), form.parameter) },
	];
	if (purchase) return result(purchase);
	if (!isInvalidError) return result(invalidPurchase(code, reason));
	throw new Failure({ kind: 'refused', message: reason, advice: 'Check the purchase code' });
}

const named =
	(code: string) =>
	(error: unknown): never => {
		const failure = toFailure(error);
		throw isAboutCode(failure) ? namingCodes(failure, [code]) : failure;
	};

/** A purchase with whether it is of an expected item, if that was asked. */
function withMatch(purchase: IDataObject, expected: readonly number[] | undefined): IDataObject {
	if (!expected) return purchase;
	const { item, ...members } = purchase;
	const id = idIn(mapIn(item).id);
	const isMatch = id !== undefined && expected.includes(id);
	return { ...members, item_matches: expected.length === 0 ? null : isMatch, item };
}

/**
 * The items the code may be for; empty if the user expects no particular one.
 * @throws Failure if one of them is not an id
 */
function expectedItems(held: unknown): number[] {
	const parts = recordsIn(mapIn(held).item)
		.flatMap(({ itemId }): unknown => pickedValue(itemId))
		.flatMap((part: unknown) => (typeof part === 'string' ? part.split(',') : [part]));
	const ids = parts.filter((part) => !isBlank(typeof part === 'string' ? part.trim() : part));
	return ids.map((id) => parseId('expectedItemId', id));
}
