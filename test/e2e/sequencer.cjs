const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes longest begins first, so that both workers end at about the same time. */
const FIRST = ['editor', 'queue-mode', 'triggers', 'examples'];
/** It searches what the others leave. */
const LAST = 'secrets';

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const place = ({ path }) => {
			const name = basename(path, '.test.ts');
			if (name === LAST) return FIRST.length + 1;
			return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
		};
		return [...tests].sort((a, b) => place(a) - place(b) || a.path.localeCompare(b.path));
	}
};
