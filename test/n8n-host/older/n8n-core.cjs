const core = require(require('./installed.cjs')('n8n-core'));

const takesOptions = /^(async )?run\(\{/.test(core.WorkflowExecute.prototype.run.toString());

/** Once it took one argument after another, now it takes options by name. */
class WorkflowExecute extends core.WorkflowExecute {
	run(options) {
		if (takesOptions) return super.run(options);
		const { workflow, startNode, destinationNode, pinData } = options;
		return super.run(workflow, startNode, destinationNode, pinData);
	}
}

/** An older `n8n-core` with the face that the tests of the engine know of the present one. */
module.exports = { ...core, WorkflowExecute };
