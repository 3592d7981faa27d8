const { mkdirSync, writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/** A reporter of Jest: writes for each test file how long it takes, and which ranges of `dist` it runs, how often. */
module.exports = class {
	reach = {};

	onTestResult({ path }, { v8Coverage = [], perfStats, failureMessage }) {
		if (failureMessage) console.error(failureMessage);
		const ranges = {};
		for (const { result, codeTransformResult } of v8Coverage) {
			const offset = codeTransformResult?.wrapperLength ?? 0;
			const run = result.functions.flatMap((each) => each.ranges);
			const file = relative('', result.url.replace('file://', ''));
			ranges[file] = run.map((each) => [
				each.startOffset - offset,
				each.endOffset - offset,
				each.count,
			]);
		}
		this.reach[relative('', path)] = { milliseconds: perfStats.runtime, ranges };
	}

	onRunComplete() {
		mkdirSync('test-results', { recursive: true });
		writeFileSync('test-results/reach.json', JSON.stringify(this.reach));
	}
};
