/**
 * Tests are TypeScript, checked by `npm run lint` and only stripped here.
 * What they test of the package is the compiled `dist`, because that is what is published.
 */

// n8n's engine would print every failure that a test provokes.
process.env.N8N_LOG_LEVEL = 'silent';

// Moments without a zone are UTC; on a machine that is in UTC, nobody would see it if they were not.
process.env.TZ ??= 'America/New_York';

// Of each worker: a loop that fills the memory ends one test file, not the machine.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=2000`.trim();

module.exports = {
	testEnvironment: '<rootDir>/test/environment.cjs',
	moduleNameMapper: { '^n8n-(core|workflow)$': '<rootDir>/test/n8n-$1.cjs' },
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } }],
	},
	// Jest's sandbox makes every use of a global slow, but not of these.
	sandboxInjectedGlobals: [
		...['Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Set', 'String', 'Symbol'],
	],
	roots: ['package', 'unit', 'engine', 'contract'].map((level) => `<rootDir>/test/${level}`),
	testMatch: ['**/*.test.ts'],
	// With a seed of its own, `SEED=7 npx jest --seed 7`, tests run in another order.
	randomize: process.env.SEED !== undefined,
	maxWorkers: 2,
	workerIdleMemoryLimit: '1GB',
	testTimeout: 30_000,
};
