import type { IDataObject } from 'n8n-workflow';

import type { Send } from '../../../shared/http/request';
import { includeInputFields, optionsField } from '../../../shared/operations/fields';
import type { Operation } from '../../../shared/operations/nodeProperties';
import type { ItemContext, ItemRequest } from '../../../shared/operations/itemContext';
import { Failure, toFailure } from '../../../shared/values/failure';
import { idIn, mapIn, pickedValue, recordsIn } from '../../../shared/values/json';
import { emptyFailure, isBlank, readId, type ReadParameter } from '../../../shared/values/input';
import { expectedItemsField } from '../../locators';
import { proveKey } from '../../proveKey';
import { checkCode, type Checked, invalidPurchase } from '../../purchase';
import { isAboutCode, purchaseCode, withCodes } from '../../purchaseCode';
import { storeOperation } from '../../results';
import { purchaseOutput, simplifyField } from '../../simplify';

export const purchaseValidate: Operation = {
	name: 'Validate',
	value: 'validate',
	action: 'Validate purchase code',
	description: 'Check a purchase code, and get the purchase with its item if it is valid',
	request: { method: 'POST', url: '/api/purchases/validation' },
	pagination: storeOperation({
		isRead: true,
		body(body, { read }) {
			expectedItems(read);
			const code = purchaseCode('Purchase Code', read('purchaseCode'));
			if (code === '' && optionsOf(read).onBlank !== 'invalid') throw emptyFailure('Purchase Code');
			return { ...body, purchase_code: code };
		},
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
			// Read by `body` below: a blank code may be allowed.
			routing: { send: { type: 'body', property: 'purchase_code' } },
		},
		simplifyField,
		optionsField([
			expectedItemsField,
			includeInputFields,
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

async function validate(
	request: ItemRequest,
	send: Send,
	{ connection, keyProof, read }: ItemContext,
): Promise<IDataObject[]> {
	const code = purchaseCode('Purchase Code', request.body.purchase_code);
	const blank = { purchase: undefined, reason: 'The purchase code is blank' };
	const check = async (): Promise<Pick<Checked, 'purchase' | 'reason'>> => {
		const onProof = keyProof.begin();
		const checked = await checkCode(code, send, connection).catch(named(code));
		if (checked.purchase) onProof();
		else keyProof.await(async () => await proveKey(send, connection));
		return checked;
	};
	const { purchase, reason } = code === '' ? blank : await check();
	if (purchase) return resultOf(purchase, read);
	if (optionsOf(read).onInvalid !== 'error') return resultOf(invalidPurchase(code, reason), read);
	throw new Failure({ kind: 'refused', message: reason, advice: 'Check the purchase code' });
}

const named =
	(code: string) =>
	(error: unknown): never => {
		const failure = toFailure(error);
		throw isAboutCode(failure) ? withCodes(failure, code) : failure;
	};

/** The result of a check, with whether the code is for an expected item. */
function resultOf(purchase: IDataObject, read: ReadParameter): IDataObject[] {
	const { item, ...members } = purchase;
	const expected = expectedItems(read);
	const id = idIn(mapIn(item).id);
	const isMatch = id !== undefined && expected.includes(id);
	const isAsked = expectedItemsField.name in optionsOf(read);
	const matches = isAsked ? { item_matches: expected.length === 0 ? null : isMatch } : {};
	return [purchaseOutput({ ...members, ...matches, item }, read)];
}

const optionsOf = (read: ReadParameter): IDataObject => mapIn(read('options'));

/**
 * The items the code may be for; empty if the user expects no particular one.
 * @throws Failure if one of them is not an id
 */
function expectedItems(read: ReadParameter): number[] {
	const entered = recordsIn(mapIn(optionsOf(read).expectedItems).item);
	const parts = entered
		.flatMap(({ itemId }): unknown => pickedValue(itemId))
		.flatMap((part: unknown) => (typeof part === 'string' ? part.split(',') : [part]));
	const ids = parts.filter((part) => !isBlank(typeof part === 'string' ? part.trim() : part));
	return ids.map((id) => readId('expectedItemId', id));
}
