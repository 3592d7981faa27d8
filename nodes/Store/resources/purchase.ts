// Purchases: *Validate* (document: "Purchase").

import type { IDataObject } from 'n8n-workflow';

import {
	includeInputFields,
	optionsField,
	simplifyField,
} from '../../shared/operations/panelFields';
import type { RowInput, Operation, Execute, RowContext } from '../../shared/operations/operation';
import type { Session } from '../../shared/operations/session';
import { Failure, inputFailure } from '../../shared/values/failure';
import { idIn, mapIn, pickedValue, recordsIn } from '../../shared/values/json';
import { isBlank, parseId } from '../../shared/values/input';
import { expectedItemsField } from '../locators';
import { KeyVerifier } from '../keyVerifier';
import { type CodeVerdict, invalidPurchase } from '../codeVerdict';
import { parsePurchaseCode } from '../purchaseCode';
import { purchaseOutput } from '../records';

export const validatePurchase: Operation = {
	name: 'Validate',
	value: 'validate',
	action: 'Validate purchase code',
	description:
		'Check a purchase code, and return whether it is valid, its purchase and its support',
	request: { method: 'POST', url: '/api/purchases/validation' },
	isSafe: true,
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

/** What to do at the turn of a row. @throws Failure if it has no code, or an expected item is no id */
function prepareCode({ node, parameter }: RowInput): Execute {
	const options = mapIn(parameter('options'));
	const { [expectedItemsField.name]: held } = options;
	const expected = held === undefined ? undefined : expectedItems(held);
	const code = parsePurchaseCode('Purchase Code', parameter('purchaseCode'));
	if (code === '' && options.onBlank !== 'invalid') throw blankCode();
	const fails = options.onInvalid === 'error';
	const isLast = fails && !node.continueOnFail();
	return async (_request, row) => {
		const { purchase, reason } = code === '' ? BLANK : await validate(code, row, isLast);
		if (!purchase && fails)
			throw new Failure({ kind: 'refused', message: reason, advice: 'Check the purchase code' });
		const record = withMatch(purchase ?? invalidPurchase(code, reason), expected);
		return [{ json: purchaseOutput(record, parameter) }];
	};
}

const blankCode = (): Failure =>
	inputFailure(
		'Purchase Code is empty',
		'Check the column that it comes from, or add the option If Code Is Blank, which outputs such a row as invalid',
	);

const BLANK = { purchase: undefined, reason: 'The purchase code is blank' };

/** Proves the key after an invalid code. @param isLast whether that stops the run, so that no other row can prove the key */
async function validate(
	code: string,
	{ session, yieldTurn }: RowContext,
	isLast: boolean,
): Promise<CodeVerdict> {
	const proof = proofFor(session);
	const checked = await proof.check(code);
	if (checked.purchase) return checked;
	if (!isLast) {
		await proof.begin(checked.answeredAt);
		await yieldTurn();
	}
	await proof.prove(checked.answeredAt);
	return checked;
}

const proofs = new WeakMap<Session, KeyVerifier>();

function proofFor(session: Session): KeyVerifier {
	const proof = proofs.get(session) ?? new KeyVerifier(session.send, session.connection);
	proofs.set(session, proof);
	return proof;
}

function withMatch(purchase: IDataObject, expected: readonly number[] | undefined): IDataObject {
	if (!expected) return purchase;
	const { item, ...members } = purchase;
	const id = idIn(mapIn(item).id);
	const isMatch = id !== undefined && expected.includes(id);
	return { ...members, item_matches: expected.length === 0 ? null : isMatch, item };
}

/** Their IDs; empty if no particular item is expected. @throws Failure if one is no ID */
function expectedItems(held: unknown): number[] {
	const ids = recordsIn(mapIn(held).item).map(({ itemId }) => pickedValue(itemId));
	return ids.filter((id) => !isBlank(id)).map((id) => parseId('expectedItemId', id));
}
