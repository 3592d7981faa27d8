// Purchases: *Validate* (document: "Purchase").

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseLocator, type RecordRef } from '../../shared/operations/parameters';
import type {
	Execute,
	Operation,
	OutputColumns,
	RowInput,
} from '../../shared/operations/operation';
import { optionsField, simplifyField } from '../../shared/operations/panelFields';
import type { Session } from '../../shared/operations/session';
import { Failure } from '../../shared/values/failure';
import { type ParameterValues, isBlank } from '../../shared/values/input';
import { mapIn, pickedValue, recordsIn } from '../../shared/values/json';
import { lowerCase } from '../../shared/values/text';
import { invalidPurchase } from '../codeVerdict';
import { enteredCode } from '../enteredCode';
import { verifierOf } from '../keyVerifier';
import { expectedItemLocator, expectedItemsField, itemIndexOf, items } from '../locators';
import { purchaseOutput } from '../records';

const OUTPUT: OutputColumns = { first: ['valid', 'reason', 'error'] };

/** A Switch by n8n's *is false* takes every code for invalid while the store is down. */
const verdictNotice: INodeProperties = {
	displayName:
		'With "On Error: Continue", a row that could not be checked has null in "valid", which a Switch takes for "is false". Check "error" first, or use the error output.',
	name: 'verdictNotice',
	type: 'notice',
	default: '',
};

export const validatePurchase: Operation = {
	name: 'Validate',
	value: 'validate',
	action: 'Validate purchase code',
	description:
		'Check a purchase code, and return whether it is valid, its purchase and its support, with the columns of the input. To drop these, add an Edit Fields node.',
	request: { method: 'POST', url: '/api/purchases/validation' },
	isSafe: true,
	failed: { valid: null, reason: null },
	keepsColumns: true,
	output: OUTPUT,
	prepare: prepareCode,
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
		verdictNotice,
		simplifyField,
		optionsField([
			expectedItemsField,
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
				default: 'invalid',
				description: 'What to do with a row that has no code. Without this option it fails.',
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

/** @returns what executes the row @throws Failure if it has no code, or an expected item is neither an ID nor a name */
function prepareCode(input: RowInput): Execute {
	const { node, parameters } = input;
	const { [expectedItemsField.name]: held, onInvalid } = mapIn(parameters.options);
	const expected = held === undefined ? undefined : expectedItems(held, parameters);
	const code = enteredCode(input);
	const fails = onInvalid === 'error';
	return async (_request, row) => {
		const { session } = row;
		const wanted = expected && (await wantedItems(expected, session));
		const { purchase, reason } = code === '' ? BLANK : await verifierOf(session).checkInRun(code);
		const believe = async (): Promise<void> => {
			if (code !== '') await verifierOf(session).prove();
			if (fails)
				throw new Failure({ kind: 'refused', message: reason, advice: 'Check the purchase code' });
		};
		if (!purchase && fails && !node.continueOnFail()) await believe();
		if (!purchase) row.atEnd(believe);
		const record = withMatch(purchase ?? invalidPurchase(code, reason), wanted);
		return [{ json: purchaseOutput(record, parameters) }];
	};
}

const BLANK = { purchase: undefined, reason: 'The purchase code is blank' };

/** Null if no particular item is expected, or if the store does not say which one a valid code is for. */
function withMatch(
	purchase: IDataObject,
	expected: ReadonlyArray<number | string> | undefined,
): IDataObject {
	if (!expected) return purchase;
	const { valid, item_id, item_name } = purchase;
	const isUnknown = valid === true && isBlank(item_id) && isBlank(item_name);
	const isMatch = expected.some((each) => each === item_id || each === lowerCase(item_name));
	return { ...purchase, item_matches: expected.length === 0 || isUnknown ? null : isMatch };
}

/** Empty if no particular item is expected. @throws Failure if one is neither an ID nor a name */
const expectedItems = (held: unknown, parameters: ParameterValues): RecordRef[] =>
	recordsIn(mapIn(held).item)
		.map(({ itemId }) => itemId)
		.filter((itemId) => !isBlank(pickedValue(itemId)))
		.map((itemId) => parseLocator(expectedItemLocator, itemId, items, parameters));

/** The IDs of items. A store may list none, although it has one: then their names. @throws Failure unless each is of one item */
async function wantedItems(
	expected: readonly RecordRef[],
	session: Session,
): Promise<Array<number | string>> {
	const lookup = { scan: 'all', match: 'ignoreCase' } as const;
	const wanted = expected.map(async (ref) => {
		if (typeof ref === 'number') return ref;
		const index = itemIndexOf(session);
		await index.all(ref.name, 'all');
		return index.known.length > 0 ? await index.idOf(ref.name, lookup) : lowerCase(ref.name);
	});
	return await Promise.all(wanted);
}
