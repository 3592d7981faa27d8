/**
 * Changes `nodes/shared` in one small way at a time, and looks whether a test notices. `npm run mutate`
 *
 * All changes are compiled into one build, each behind a switch; a run turns one of them on.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: ['nodes/shared/**/*.ts', 'nodes/LinkManagement/values/*.ts'],
	disableTypeChecks: 'nodes/**/*.ts',
	buildCommand: 'gulp build',

	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: { configFile: 'test/mutate/jest.config.cjs', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	// What runs while a file is loaded would need every suite for each change.
	ignoreStatic: true,
	// Some tests measure time.
	concurrency: 1,
	// Changed loops may have no end.
	timeoutMS: 8_000,
	timeoutFactor: 2,
	// Jest keeps what it loaded: after hundreds of changes, a process has gigabytes, and takes ten times as long.
	maxTestRunnerReuse: 40,

	tempDirName: 'test-results/mutate',
	cleanTempDir: 'always',
	ignorePatterns: ['test-results', 'examples', 'docs', 'test/e2e', 'test/bench'],
	reporters: ['progress-append-only', 'clear-text', 'html'],
	clearTextReporter: { reportTests: false, allowColor: false },
	htmlReporter: { fileName: 'test-results/mutation.html' },
};
