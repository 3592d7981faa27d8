/**
 * Changes `nodes/shared` in one small way at a time, and looks whether a unit test notices:
 *
 *     npx stryker run test/mutate/stryker.config.mjs
 *
 * `--mutate 'nodes/shared/values/*.ts'` takes a part. Engine tests notice more, and need a minute for each change.
 */
import base from '../../jest.config.js';

export default {
	mutate: ['nodes/shared/**/*.ts'],
	disableTypeChecks: 'nodes/**/*.ts',
	buildCommand: 'gulp build',
	testRunner: 'jest',
	jest: {
		config: { ...base, roots: ['<rootDir>/test/unit'] },
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	// What runs while a file is loaded would need every suite for each change.
	ignoreStatic: true,
	concurrency: 1,
	tempDirName: 'test-results/mutate',
	htmlReporter: { fileName: 'test-results/mutation.html' },
};
