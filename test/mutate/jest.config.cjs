const { sandboxInjectedGlobals, testEnvironment, transform } = require('../../jest.config.js');

/** The engine's suites that notice much of `nodes/shared` in little time: a change that none notices runs through all of them. */
const ENGINE = [
	'**/engine/shared/{batchRun,fields,operations,blockedAddress,connection,credentials}.test.ts',
	'**/engine/LinkManagement/**/*.test.ts',
	'**/engine/Store/{itemUpdates,keyPlace,operations,trigger}.test.ts',
];

process.env.SLOWER_BY = '20';

// As many as take less than the time of a slow test.
process.env.HISTORIES ??= '200';
process.env.LINKSTORE_WALKS ??= '600';

module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
	testMatch: ['**/unit/**/*.test.ts', ...(process.env.MUTATE_WITH === 'unit' ? [] : ENGINE)],
	sandboxInjectedGlobals,
	testEnvironment,
	testTimeout: 10_000,
	transform,
	testRunner: '<rootDir>/test/mutate/jest-circus.cjs',
	testSequencer: '<rootDir>/test/mutate/sequencer.cjs',
	setupFiles: ['<rootDir>/test/mutate/properties.cjs'],
	maxWorkers: 1,
};
