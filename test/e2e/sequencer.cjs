const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const LAST = 'secrets.test.ts';

/** In alphabetical order, but the suite that searches what the others leave comes last. */
module.exports = class SecretsLast extends Sequencer {
	sort(tests) {
		const place = ({ path }) => [basename(path) === LAST ? 1 : 0, path].join(' ');
		return [...tests].sort((a, b) => place(a).localeCompare(place(b)));
	}
};
