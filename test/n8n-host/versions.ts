/** An n8n of which the engine is tested. */
export interface Engine {
	/** On npm */
	n8n: string;
	/** The versions of its engine, as `npm view n8n@<version> dependencies` tells them */
	engine: { 'n8n-core': string; 'n8n-workflow': string };
}

/**
 * The versions of n8n that the nodes are tested on, oldest first: the one place that holds them. What else names them
 * (`package.json`, the workflows) is held to this list by `test/package/repository.test.ts`.
 */
export const N8N_VERSIONS: readonly [Engine, ...Engine[]] = [
	{ n8n: '1.123.81', engine: { 'n8n-core': '1.122.48', 'n8n-workflow': '1.120.31' } },
	{ n8n: '2.0.3', engine: { 'n8n-core': '2.0.2', 'n8n-workflow': '2.0.1' } },
	{ n8n: '2.14.2', engine: { 'n8n-core': '2.14.1', 'n8n-workflow': '2.14.1' } },
	{ n8n: '2.27.4', engine: { 'n8n-core': '2.27.3', 'n8n-workflow': '2.27.2' } },
	{ n8n: '2.38.7', engine: { 'n8n-core': '2.38.2', 'n8n-workflow': '2.38.1' } },
	{ n8n: '2.40.7', engine: { 'n8n-core': '2.40.3', 'n8n-workflow': '2.40.1' } },
	{ n8n: '2.41.1', engine: { 'n8n-core': '2.41.1', 'n8n-workflow': '2.41.0' } },
];

/** `1.123` for `1.123.81`, as people call it. */
export function releaseOf(n8n: string): string {
	return n8n.split('.', 2).join('.');
}

/** @param wanted `1.123`, or in full `1.123.81` */
export function findVersion(wanted: string): Engine {
	const found = N8N_VERSIONS.find(({ n8n }) => n8n === wanted || releaseOf(n8n) === wanted);
	if (found !== undefined) return found;
	const known = N8N_VERSIONS.map(({ n8n }) => releaseOf(n8n)).join(', ');
	throw new Error(`n8n ${wanted} is not in test/n8n-host/versions.ts, which has ${known}`);
}

/** The one that `npm start` starts and all tests run on, with the package.json and the lock file beside this file. */
export const PINNED = findVersion('2.41.1');
