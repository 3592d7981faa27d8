// The purchase code of a row.

import type { RowInput } from '../shared/operations/operation';
import { fieldFailure } from '../shared/values/failure';
import { isNothing } from '../shared/values/input';
import { mapIn } from '../shared/values/json';
import { parsePurchaseCode } from './purchaseCode';

const LABEL = 'Purchase Code';

/**
 * Empty if the row has none, and that counts as invalid. A value that is undefined comes from a column that the row does not have:
 * a mistyped column must not make every code invalid. @throws Failure if the row has no code, or several
 */
export function enteredCode({ parameters }: RowInput): string {
	const entered = parameters.purchaseCode;
	const mayBeBlank = mapIn(parameters.options).onBlank === 'invalid' && entered !== undefined;
	const code = mayBeBlank && isNothing(entered) ? '' : parsePurchaseCode(LABEL, entered);
	if (code !== '' || mayBeBlank) return code;
	throw fieldFailure(
		LABEL,
		'is empty',
		"Enter a code, or check the expression that gives it. The option 'If Code Is Blank' outputs a row with an empty one as invalid",
	);
}
