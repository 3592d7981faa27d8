const { testEnvironment, transform } = require('../../jest.config.js');

/** The suites that notice much of `nodes/shared` in little time: a change that none notices runs through all of them. */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
	testMatch: [
		'**/unit/*.test.ts',
		// They look at other folders.
		'!**/unit/{bench,readme,sandbox,descriptionLint}.test.ts',
		'**/engine/{batchRun,blockedAddress,connection,credentials,*Trigger}.test.ts',
		'**/engine/operations/{entered,badInput,locators,paging,store,named,upsert,filters}.test.ts',
	],
	testEnvironment,
	testTimeout: 10_000,
	transform,
	testRunner: '<rootDir>/test/mutate/jest-circus.cjs',
	testSequencer: '<rootDir>/test/mutate/sequencer.cjs',
	setupFiles: ['<rootDir>/test/mutate/properties.cjs'],
	maxWorkers: 1,
};
