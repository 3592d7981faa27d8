const workflow = require(require('./installed.cjs')('n8n-workflow'));

/** Before n8n 1.120 those who needed an empty record of a run wrote it themselves. */
const createEmptyRunExecutionData = () => ({
	startData: {},
	resultData: { runData: {} },
	executionData: {
		contextData: {},
		nodeExecutionStack: [],
		metadata: {},
		waitingExecution: {},
		waitingExecutionSource: {},
	},
});

/** An older `n8n-workflow` with what the tests of the engine, but not the nodes, use of the present one. */
module.exports = { createEmptyRunExecutionData, ...workflow };
