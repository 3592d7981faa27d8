const { testEnvironment, transform } = require('../../jest.config.js');

/** The real n8n, with the package as it would be published. `npm run test:e2e` */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['**/*.test.ts'],
	testEnvironment,
	transform,
	globalSetup: '<rootDir>/test/e2e/globalSetup.ts',
	globalTeardown: '<rootDir>/test/e2e/globalTeardown.ts',
	testSequencer: '<rootDir>/test/e2e/sequencer.cjs',
	reporters: ['default', '<rootDir>/test/e2e/reporter.cjs'],
	// Each has an n8n of its own, and all of them share the cores.
	maxWorkers: 2,
	testTimeout: 180_000,
};
