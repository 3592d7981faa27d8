/**
 * Jest's own test runner, made quick enough for thousands of changes. For each of them it loads only the files with
 * tests that reach it, and stops at the first failure, or when it has tried for long enough. Stryker can filter tests by
 * name only, which loads every file, and Jest's `bail` is not at its disposal. It insists on a name with "jest-circus".
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { createEmptyTestResult } = require('@jest/test-result');
const { default: run } = require('jest-circus/runner');

/** A test that takes longer is left out. */
const SLOW_MS = 3_000;

/** A change that no test has noticed by then counts as unnoticed. */
const ENOUGH_MS = 30_000;

/** Names of the tests by file, written by the first run, in which nothing is changed; later ones may be other processes. */
const LIST = join(process.cwd(), 'quick-tests.json');

const quickTests = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : {};

/** The change that is on. */
let current = { change: undefined, since: 0, isNoticed: false };

const isDone = () => current.isNoticed || Date.now() - current.since > ENOUGH_MS;

module.exports = async function runFile(globalConfig, config, environment, runtime, file, ...rest) {
	const change = process.env.__STRYKER_ACTIVE_MUTANT__;
	const runTests = () => run(globalConfig, config, environment, runtime, file, ...rest);
	if (change === undefined) return keepQuickTests(file, await runTests());

	if (current.change !== change) current = { change, since: Date.now(), isNoticed: false };

	const reaches = new RegExp(globalConfig.testNamePattern ?? '', 'i');
	const names = new Set(quickTests[file]?.filter((name) => reaches.test(name)));
	if (names.size === 0 || isDone()) return emptyResult(file);

	const { handleTestEvent } = environment;
	environment.handleTestEvent = async (event, state) => {
		const { name, test } = event;
		if (name === 'test_fn_failure' || name === 'hook_failure') current.isNoticed = true;
		if (name === 'test_start' && (isDone() || !names.has(fullName(test)))) test.mode = 'skip';
		await handleTestEvent?.call(environment, event, state);
	};
	return await runTests();
};

function keepQuickTests(file, result) {
	const testResults = result.testResults.filter(({ duration }) => (duration ?? 0) < SLOW_MS);
	quickTests[file] = testResults.map((test) => test.fullName);
	writeFileSync(LIST, JSON.stringify(quickTests));
	return testResults.length > 0 ? { ...result, testResults } : emptyResult(file);
}

/** As Jest puts it together; what stands around everything has no name. */
const fullName = ({ name, parent }) => (parent ? `${fullName(parent)} ${name}`.trimStart() : '');

/** Jest takes a file without any test for an error. */
const emptyResult = (testFilePath) => ({
	...createEmptyTestResult(),
	testFilePath,
	testResults: [
		{ ancestorTitles: [], failureMessages: [], fullName: '', status: 'pending', title: '' },
	],
});
