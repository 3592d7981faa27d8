const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const NODES = join(process.cwd(), 'nodes');

/** The suite named after each changed file, by the numbers of its changes, which Stryker writes into the code. */
const ownSuites = new Map(
	readdirSync(NODES, { recursive: true })
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => {
			const changes = readFileSync(join(NODES, file), 'utf8').matchAll(
				/stryMutAct_\w+\("(\d+)"\)/g,
			);
			const suite = join('unit', file.replace(/\.ts$/, '.test.ts'));
			return Array.from(changes, ([, change]) => [change, suite]);
		}),
);

/**
 * First the suite of the changed file, then other unit tests, then engine tests, each from the smallest file on: most changes
 * are noticed before a slow suite is loaded.
 */
module.exports = class QuickFirst extends Sequencer {
	sort(tests) {
		const own = ownSuites.get(process.env.__STRYKER_ACTIVE_MUTANT__);
		const rank = ({ path }) => {
			if (own && path.endsWith(own)) return 0;
			return path.includes('/test/engine/') ? 2 : 1;
		};
		const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;
		return [...tests].sort((a, b) => rank(a) - rank(b) || size(a) - size(b));
	}
};
