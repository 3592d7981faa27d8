import { NO_REASON_KNOWN } from '../http/response';
import type { Failure } from '../values/failure';
import type { OperationPlan } from './plan';
import { labelsOf } from './sentFields';

/** The advice for common refusals, which are recognised by their status or their words. */
const ADVICE: ReadonlyArray<{ statuses: readonly number[]; words: RegExp; advice: string }> = [
	{
		statuses: [404, 410],
		words: /\bnot found\b|\bnot exist|\bno longer\b|^there is no\b|^no such\b/i,
		advice: 'It may have been deleted, or belong to another account',
	},
	{
		statuses: [409],
		words: /\balready\b|\btaken\b|\bin use\b|\bexists\b|\bduplicate\b|\breserved\b/i,
		advice: 'Enter another value, or use the record that has it',
	},
	{
		statuses: [402],
		words: /\bupgrade\b|\byour plan\b|\bsubscription\b|\bquota\b/i,
		advice: 'See what the plan of the account at the service includes',
	},
	{
		statuses: [413],
		words: /\btoo (?:long|large|big)\b|\blonger than\b/i,
		advice: 'Enter less',
	},
];

/**
 * A service's refusal in the words of the panel. If its message begins with the name of a member, as in "custom must have
 * …", the label of the field is added: "Custom Alias (custom) must have …". The advice fits the refusal, if it is a common
 * one.
 */
export function explainRefusal(
	failure: Failure,
	{ fields = [], labels = {} }: Pick<OperationPlan, 'fields' | 'labels'>,
): Failure {
	if (failure.kind !== 'refused') return failure;
	const { message, label } = named(failure.message, { ...labelsOf(fields), ...labels });
	const found = ADVICE.find(
		({ statuses, words }) =>
			statuses.includes(failure.httpCode ?? 0) || words.test(failure.message),
	);
	const advice = found?.advice ?? (label === undefined ? NO_REASON_KNOWN : `Check ${label}`);
	return failure.with({
		message,
		...(failure.advice === NO_REASON_KNOWN ? { advice } : {}),
	});
}

/** Matches `The "custom" …` and `geotarget[0].link …`: what is before the name, the whole name, and its first part. */
const FIRST_NAME = /^((?:the )?["'`]?)(([a-z]\w*)(?:[.[][\w.\]]*)?)(?=["'`]?\s)/i;

function named(
	message: string,
	labels: Readonly<Record<string, string>>,
): { message: string; label: string | undefined } {
	const [whole = '', before = '', name = '', member = ''] = FIRST_NAME.exec(message) ?? [];
	const label = Object.hasOwn(labels, member) ? labels[member] : undefined;
	if (label === undefined || label.toLowerCase() === name.toLowerCase()) return { message, label };
	return { message: `${before}${label} (${name})${message.slice(whole.length)}`, label };
}
