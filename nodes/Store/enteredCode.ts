// The purchase code of a row, and whether the rows of a run have their codes where the field says.

import type { IDataObject } from 'n8n-workflow';

import type { RowInput } from '../shared/operations/operation';
import { type Failure, fieldFailure, quoted } from '../shared/values/failure';
import { standsForNone } from '../shared/values/input';
import { mapIn, textIn } from '../shared/values/json';
import { hasUsualCode, isUsual, noCode, parsePurchaseCode } from './purchaseCode';

const LABEL = 'Purchase Code';

interface EnteredCode {
	/** Empty if the row has none, and that counts as invalid. */
	code: string;
	/** Called when all rows are read. @throws Failure if what the row has is probably no code */
	recheck: () => void;
}

/** The runs with a code, and with one of the usual form, by their data: all rows are read before the first is executed. */
const runsWithCodes = new WeakSet();
const runsWithUsualCodes = new WeakSet();

/** @throws Failure if the row has no code, or several */
export function enteredCode(input: RowInput): EnteredCode {
	const { node, parameters, row } = input;
	const mayBeBlank = mapIn(parameters.options).onBlank === 'invalid';
	const entered = parameters.purchaseCode;
	const isBlankWord = mayBeBlank && standsForNone(entered);
	const code = isBlankWord ? '' : parsePurchaseCode(LABEL, entered);
	if (code === '' && !mayBeBlank) throw blankCode(input);
	const run = node.getExecuteData();
	if (code !== '') runsWithCodes.add(run);
	if (isUsual(code)) runsWithUsualCodes.add(run);
	const recheck = (): void => {
		const isOneOfMany = (run.data.main?.[0] ?? []).length > 1;
		// A mistyped column must not make every code invalid.
		if (entered === undefined && isOneOfMany && !runsWithCodes.has(run)) throw blankCode(input);
		if (code === '' || hasUsualCode(code)) return;
		if (runsWithUsualCodes.has(run)) throw noCode(LABEL, String(entered));
		const column = codeColumnOf(row);
		if (column !== undefined) throw wrongColumn(entered, column);
	};
	return { code, recheck };
}

function blankCode({ node, row }: RowInput): Failure {
	const expression = textIn(node.getNode().parameters.purchaseCode) ?? '';
	const hasByteOrderMark = Object.keys(row).some(
		(column) => column.startsWith('\ufeff') && expression.includes(column.slice(1)),
	);
	const advice = hasByteOrderMark
		? "The name of the first column begins with an invisible byte order mark: turn on 'Exclude Byte Order Mark (BOM)' in Extract from File"
		: "Enter a code, or check the expression that gives it. The option 'If Code Is Blank' outputs a row without one as invalid";
	return fieldFailure(LABEL, 'is empty', advice);
}

/** A column with a code of the usual form. In others, a text of that form may be the ID of something else. */
const codeColumnOf = (row: IDataObject): string | undefined =>
	Object.keys(row).find((name) => /code/i.test(name) && isUsual(textIn(row[name]) ?? ''));

const wrongColumn = (entered: unknown, column: string): Failure =>
	fieldFailure(
		LABEL,
		`is ${quoted(entered)}, but the code of the row is in the column ${quoted(column)}`,
		'Drag that column onto the field',
	);
