/**
 * Does one thing that a person waits for, and says what it is and how long it took.
 *
 * @param usually `2 minutes`; absent for what takes a few seconds
 */
export async function step<Result>(
	title: string,
	run: () => Promise<Result>,
	usually?: string,
): Promise<Result> {
	const started = Date.now();
	console.log(`${title}: ${usually === undefined ? '...' : `usually ${usually} ...`}`);
	const result = await run();
	console.log(`${title}: done after ${Math.round((Date.now() - started) / 1000)} s`);
	return result;
}
