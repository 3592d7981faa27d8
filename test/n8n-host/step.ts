/** Where there is no terminal, in which a clock runs, a line says this often that it goes on. */
const REMINDER_MS = 30_000;

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
		task: async () => {
			results.push(await run());
		},
	};
	const started = Date.now();
	const remind = () => {
		console.log(`  ${title}: ${Math.round((Date.now() - started) / 1000)} s so far`);
	};
	const reminder = process.stdout.isTTY ? undefined : setInterval(remind, REMINDER_MS);
	await new Listr([task], {
		registerSignalListeners: false,
		rendererOptions: { timer: PRESET_TIMER },
		fallbackRendererOptions: { timer: PRESET_TIMER },
	})
		.run()
		.finally(() => clearInterval(reminder));
	const [result] = results;
	return result as Result;
}
