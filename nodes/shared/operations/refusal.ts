import type { INodeProperties } from 'n8n-workflow';

import type { Failure } from '../values/failure';
import { labelsOf } from './sentFields';

/** The advice for common refusals, by their status. */
const ADVICE: Readonly<Record<number, string>> = {
	402: "Check what the account's plan includes",
	403: 'The API key works, but this is not allowed: the record may belong to another account',
	404: 'It may have been deleted, or belong to another account',
	409: 'Enter another value, or use the record that has it',
	410: 'It may have been deleted, or belong to another account',
	413: 'Enter less',
};

/** What has the labels for members of a request. */
interface Labelled {
	fields: readonly INodeProperties[];
	/** For members that no single field sends. */
	labels?: Readonly<Record<string, string>>;
}

/** Statuses that may be about the values of one row, even if a web page came with them. */
const ROW_STATUSES: readonly number[] = [400, 404, 409, 410, 413, 422];

const CHECK_VALUES = 'Check the values that the step sends';

/**
 * A service's refusal in the words of the panel. If its message begins with the name of a member, as in "custom must have
 * …", the label of the field is added: "Custom Alias (custom) must have …".
 */
export function explainRefusal(failure: Failure, { fields, labels = {} }: Labelled): Failure {
	const { kind, advice, httpCode = 0 } = failure;
	if (kind === 'unreadable' && ROW_STATUSES.includes(httpCode)) {
		return failure.with({
			advice: `${advice}. If other operations work with it, check the values of this step`,
		});
	}
	if (kind !== 'refused') return failure;
	const { message, label } = named(failure.message, { ...labelsOf(fields), ...labels });
	const check = ADVICE[httpCode] ?? (label === undefined ? CHECK_VALUES : `Check ${label}`);
	return failure.with({ message, advice: advice || check });
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
