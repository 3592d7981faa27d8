/** After so long, a line says that it goes on. */
const REMINDER_MS = 30_000;

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
	const say = (words: string) => {
		console.log(`${title}: ${words}`);
	};
	const after = () => `after ${Math.round((Date.now() - started) / 1000)} s`;
	say(usually === undefined ? '...' : `usually ${usually} ...`);
	const reminder = setInterval(() => say(`goes on ${after()}`), REMINDER_MS);
	try {
		const result = await run();
		say(`done ${after()}`);
		return result;
	} finally {
		clearInterval(reminder);
	}
}
