import { inputFailure, quoted } from '../../shared/values/failure';
import { idIn } from '../../shared/values/json';

/**
 * The counts in the field *Milestones*, separated by commas, semicolons or spaces, or in an array of an expression. Sorted,
 * the lowest first, without duplicates.
 * @throws Failure if there is none, or one is not a positive whole number
 */
export function milestonesIn(value: unknown): number[] {
	const counts = [value]
		.flat()
		.flatMap((part: unknown) => (typeof part === 'string' ? part.split(/[\s,;]+/) : [part]))
		.filter((part) => part !== '' && part !== null && part !== undefined)
		.map((part: unknown) => {
			const count = idIn(part);
			if (count !== undefined) return count;
			throw inputFailure(
				`Milestones must be positive whole numbers, but one is ${quoted(part)}`,
				'Enter them like this: 100, 1000, 10000',
			);
		});
	if (counts.length > 0) return [...new Set(counts)].toSorted((a, b) => a - b);
	throw inputFailure('Milestones must not be empty', 'Enter them like this: 100, 1000, 10000');
}

/** The highest milestone that a count has reached. */
export const reached = (milestones: number[], count: number): number | undefined =>
	milestones.findLast((milestone) => milestone <= count);
