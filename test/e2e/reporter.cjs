const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** After a failure, says where to look: n8n's log, and the screenshots of the browser tests. */
module.exports = class EvidenceReporter {
	constructor({ rootDir }) {
		this.folder = join(rootDir, process.env.E2E_RESULTS ?? 'test-results');
	}

	onRunComplete(_contexts, { numFailedTests, numFailedTestSuites }) {
		if (numFailedTests + numFailedTestSuites === 0 || !existsSync(this.folder)) return;
		const evidence = readdirSync(this.folder, { recursive: true })
			.filter((file) => /\.(log|png)$/.test(file))
			.map((file) => `  ${join(this.folder, file)}`);
		process.stderr.write(`\nWhat may explain the failure:\n${evidence.join('\n')}\n`);
	}
};
