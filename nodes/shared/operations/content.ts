// Reads the form of an item into its `Content`: body, query, path options, Wait at Most, and the result of the plan's `check`.
// Sends nothing.

import { inputFailure, quoted } from '../values/failure';
import { isBlank } from '../values/input';
import { mapIn } from '../values/json';
import { maxWaitOption } from './fields';
import type { Form } from './form';
import type { Content, RunnableOperation } from './operationPlan';
import { bodyOf, enteredIn, queryOf, withoutEmpty } from './sentFields';

/**
 * Reads and checks every field of an item; sends nothing.
 * @returns undefined if there is nothing to do for the item
 * @throws Failure if a value cannot be sent
 */
export function contentOf<Checked>(
	form: Form,
	operation: RunnableOperation<Checked>,
): Content<Checked> | undefined {
	const { plan, sent, isUpdate } = operation;
	operation.choices.forEach(form.parameter);
	const panel = enteredIn(sent.body, form.parameter);
	const entered = plan.entered ? plan.entered(panel, form) : panel;
	if (!entered) return undefined;
	for (const name of operation.locators) form.pick(name);
	const own = bodyOf(sent.body, entered, isUpdate, form);
	const body = plan.body?.(own, form) ?? own;
	if (isUpdate && Object.keys(body).length === 0) {
		throw inputFailure(
			'There is nothing to update',
			'Add at least one field under Update Fields, or check the expressions in the fields',
		);
	}
	const words = operation.words.map((name) => [name, String(form.parameter(name))] as const);
	return {
		body: isUpdate ? body : withoutEmpty(body),
		query: queryOf(sent.query, form),
		words: Object.fromEntries(words),
		maxWaitMs: maxWaitIn(form),
		checked: plan.check(form),
	};
}

function maxWaitIn({ parameter }: Form): number {
	const { maxWait } = mapIn(parameter('options'));
	if (isBlank(maxWait)) return Infinity;
	const seconds = typeof maxWait === 'string' ? Number(maxWait) : maxWait;
	if (typeof seconds === 'number' && seconds > 0) return seconds * 1000;
	throw inputFailure(
		`${maxWaitOption.displayName} must be a number of seconds above 0, but is ${quoted(maxWait)}`,
	);
}
