const { default: Sequencer } = require('@jest/test-sequencer');

/** Jest runs test files in the order of the command line, so that the first ones to fail end the run. */
module.exports = class extends Sequencer {
	sort(tests) {
		const order = ({ path }) => process.argv.findIndex((file) => path.endsWith(file));
		return [...tests].sort((one, other) => order(one) - order(other));
	}
};
