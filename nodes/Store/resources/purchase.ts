// Purchases: *Validate* (document: "Purchase").

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Execute, Operation, Row } from '../../shared/operations/operation';
import { optionsField, simplifyField } from '../../shared/operations/panelFields';
import { Failure, fieldFailure } from '../../shared/values/failure';
import { cellValue, isBlank, isNothing } from '../../shared/values/input';
import { idIn, mapIn, pickedValue, recordsIn, textsIn } from '../../shared/values/json';
import { lowerCase } from '../../shared/values/text';
import { invalidPurchase, verifierOf } from '../codeVerdict';
import { expectedItemsField } from '../locators';
import { parsePurchaseCode } from '../purchaseCode';
import { purchaseOutput } from '../records';

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
	output: { first: ['valid', 'reason', 'error'] },
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

/** @returns what executes the row @throws Failure if it has no code */
function prepareCode({ node, parameters, session, atEnd }: Row): Execute {
	const { [expectedItemsField.name]: held, onBlank, onInvalid } = mapIn(parameters.options);
	const expected = held === undefined ? undefined : expectedItems(held);
	const code = enteredCode(parameters.purchaseCode, onBlank === 'invalid');
	const fails = onInvalid === 'error';
	return async () => {
		const verifier = verifierOf(session);
		const { purchase, reason } = code === '' ? BLANK : await verifier.checkInRun(code);
		const believe = async (): Promise<void> => {
			if (code !== '') await verifier.prove();
			if (fails)
				throw new Failure({ kind: 'refused', message: reason, advice: 'Check the purchase code' });
		};
		if (!purchase && fails && !node.continueOnFail()) await believe();
		if (!purchase) atEnd(believe);
		const record = purchase ?? invalidPurchase(code, reason);
		const match = expected && { item_matches: itemMatches(record, expected) };
		return [{ json: purchaseOutput({ ...record, ...match }, parameters) }];
	};
}

const BLANK = { purchase: undefined, reason: 'The purchase code is blank' };

/**
 * Empty if the row has none, and that counts as invalid. A value that is undefined comes from a column that the row does not have:
 * a mistyped column must not make every code invalid. @throws Failure if the row has no code, or several
 */
function enteredCode(entered: unknown, isBlankInvalid: boolean): string {
	const mayBeBlank = isBlankInvalid && entered !== undefined;
	const code =
		mayBeBlank && isNothing(cellValue(entered)) ? '' : parsePurchaseCode('Purchase Code', entered);
	if (code !== '' || mayBeBlank) return code;
	throw fieldFailure(
		'Purchase Code',
		'is empty',
		"Enter a code, or check the expression that gives it. The option 'If Code Is Blank' outputs a row with an empty one as invalid",
	);
}

/** Null if no particular item is expected, or if the store does not say which one a valid code is for. */
function itemMatches(
	{ valid, item_id, item_name }: IDataObject,
	expected: readonly string[],
): boolean | null {
	const isMatch = (each: string) => [item_id, item_name].some((is) => lowerCase(is) === each);
	const isUnknown = (each: string) => isBlank(idIn(each) === undefined ? item_name : item_id);
	if (expected.some(isMatch)) return true;
	return expected.length === 0 || (valid === true && expected.some(isUnknown)) ? null : false;
}

/** IDs, and names in lower case. Empty if no particular item is expected. */
const expectedItems = (held: unknown): string[] =>
	recordsIn(mapIn(held).item).flatMap(({ itemId }) => textsIn(pickedValue(itemId)).map(lowerCase));
