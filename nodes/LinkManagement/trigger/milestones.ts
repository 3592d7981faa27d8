// Reads the field *Milestones*.

import { inputFailure, quoted } from '../../shared/values/failure';
import { idIn } from '../../shared/values/json';

const EXAMPLE = 'Enter them like this: 100, 1000, 10000';

/**
 * The counts, the lowest first, without duplicates. They are separated by commas, semicolons or spaces, or in an array.
 * @throws Failure if there is none, or one is not a positive whole number
 */
export function milestonesIn(value: unknown): number[] {
	const parts = [value]
		.flat()
		.join(' ')
		.split(/[\s,;]+/);
	const counts = parts.filter((part) => part !== '').map(milestoneIn);
	if (counts.length === 0) throw inputFailure('Milestones must not be empty', EXAMPLE);
	return [...new Set(counts)].toSorted((a, b) => a - b);
}

function milestoneIn(part: string): number {
	const count = idIn(part);
	if (count !== undefined) return count;
	throw inputFailure(
		`Milestones must be positive whole numbers, but one is ${quoted(part)}`,
		EXAMPLE,
	);
}
