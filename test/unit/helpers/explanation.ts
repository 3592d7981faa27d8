import { Failure } from '../../../dist/nodes/shared/values/failure.js';

/** What users are told when work is refused; `none` if it is not. */
export function explanationOf(work: () => unknown): string {
	try {
		work();
		return 'none';
	} catch (error) {
		return error instanceof Failure ? error.explanation : String(error);
	}
}
