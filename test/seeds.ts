/** Of every property: the same histories in each run, or those of SEED, and as many as RUNS says. */
export const seeded = (usualRuns: number) => ({
	seed: Number(process.env.SEED ?? 1),
	numRuns: Number(process.env.RUNS ?? usualRuns),
});
