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
	await new Listr([task], {
		registerSignalListeners: false,
		rendererOptions: { timer: PRESET_TIMER },
		fallbackRendererOptions: { timer: PRESET_TIMER },
	}).run();
	const [result] = results;
	return result as Result;
}
