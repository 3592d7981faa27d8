/** In a terminal the line is drawn again and again; elsewhere each one is added to a log. */
const TELL_EVERY_MS = process.stdout.isTTY ? 1_000 : 30_000;

/**
 * Does one thing that a person waits for, and shows what it is and how long it takes.
 *
 * @param usually `2 minutes`; absent for what takes a few seconds
 */
export async function step<Result>(
	title: string,
	run: () => Promise<Result>,
	usually?: string,
): Promise<Result> {
	// Only now, because Jest, whose suites have nothing to wait for here, cannot load it.
	const { Listr, PRESET_TIMER } = await import('listr2');
	const results: Result[] = [];
	const task = {
		title: usually === undefined ? title : `${title} (usually ${usually})`,
		task: async (_context: unknown, shown: { output: string }) => {
			const started = Date.now();
			const telling = setInterval(() => {
				shown.output = `${Math.round((Date.now() - started) / 1000)} s so far`;
			}, TELL_EVERY_MS);
			results.push(await run().finally(() => clearInterval(telling)));
		},
	};
	await new Listr([task], {
		registerSignalListeners: false,
		rendererOptions: { timer: PRESET_TIMER },
		fallbackRendererOptions: { timer: PRESET_TIMER },
	}).run();
	const [result] = results;
	return result as Result;
}
