/** Benchmarks run under the test runner, because n8n's packages load as CommonJS only, but they assert no times. */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	roots: ['<rootDir>/test/bench'],
	testMatch: ['**/*.bench.ts'],
	testTimeout: 120_000,
	verbose: false,
};
