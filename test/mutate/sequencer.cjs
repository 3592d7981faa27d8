const { default: Sequencer } = require('@jest/test-sequencer');

/** Unit tests first, then engine tests, each from the smallest file on: most changes are noticed before a slow suite is loaded. */
module.exports = class QuickFirst extends Sequencer {
	sort(tests) {
		const isEngine = ({ path }) => Number(path.includes('/test/engine/'));
		const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;
		return [...tests].sort((a, b) => isEngine(a) - isEngine(b) || size(a) - size(b));
	}
};
