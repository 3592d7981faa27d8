const { sandboxInjectedGlobals, testEnvironment, transform } = require('../../jest.config.js');

/** The engine's suites that notice much of `nodes/shared` in little time: a change that none notices runs through all of them. */
const ENGINE = [
	'**/engine/{batchRun,fields,operations,blockedAddress,connection,credentials,keyPlace,*Trigger}.test.ts',
	'**/engine/operations/{locators,paging,store,named,upsert,filters}.test.ts',
];

module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
	testMatch: [
		'**/unit/*.test.ts',
		// They look at other folders.
		'!**/unit/{descriptionLint,examples,owner,readme}.test.ts',
		...(process.env.MUTATE_WITH === 'unit' ? [] : ENGINE),
	],
	sandboxInjectedGlobals,
	testEnvironment,
	testTimeout: 10_000,
	transform,
	testRunner: '<rootDir>/test/mutate/jest-circus.cjs',
	testSequencer: '<rootDir>/test/mutate/sequencer.cjs',
	setupFiles: ['<rootDir>/test/mutate/properties.cjs'],
	maxWorkers: 1,
};
