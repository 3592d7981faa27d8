const { existsSync, readdirSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

module.exports = class EvidenceReporter {
	constructor({ rootDir }) {
		this.folder = resolve(rootDir, process.env.E2E_RESULTS ?? 'test-results');
	}

	onRunStart(results) {
		this.noteEnded(results);
	}

	onTestFileResult(_test, _result, results) {
		this.noteEnded(results);
	}

	/** The suite that searches what the others have left waits for this file. */
	noteEnded({
		numTotalTestSuites,
		numPassedTestSuites,
		numFailedTestSuites,
		numPendingTestSuites,
	}) {
		const ended = numPassedTestSuites + numFailedTestSuites + numPendingTestSuites;
		if (numTotalTestSuites - ended <= 1) writeFileSync(join(this.folder, 'all-others-ended'), '');
	}

	/** After a failure, says where to look: n8n's log, and the screenshots of the browser tests. */
	onRunComplete(_contexts, { numFailedTests, numFailedTestSuites }) {
		if (numFailedTests + numFailedTestSuites === 0 || !existsSync(this.folder)) return;
		const evidence = readdirSync(this.folder, { recursive: true })
			.filter((file) => /\.(log|png)$/.test(file))
			.map((file) => `  ${join(this.folder, file)}`);
		process.stderr.write(`\nWhat may explain the failure:\n${evidence.join('\n')}\n`);
	}
};
