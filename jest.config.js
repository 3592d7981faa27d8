/**
 * Tests are TypeScript, checked by `npm run types` and only stripped here.
 * What they test of the package is the compiled `dist`, because that is what is published.
 */
const { availableParallelism } = require('node:os');

// n8n's engine would print every failure that a test provokes.
process.env.N8N_LOG_LEVEL = 'silent';

module.exports = {
	testEnvironment: 'node',
	globalSetup: '<rootDir>/test/buildStamp.ts',
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } }],
	},
	// Jest's sandbox makes every use of a global slow, but not of these.
	sandboxInjectedGlobals: [
		...['Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Set', 'String', 'Symbol'],
	],
	roots: ['package', 'unit', 'engine', 'contract'].map((level) => `<rootDir>/test/${level}`),
	testMatch: ['**/*.test.ts'],
	// A third of the time they wait, so there is one more than cores.
	maxWorkers: availableParallelism() + 1,
	testTimeout: 30_000,
};
