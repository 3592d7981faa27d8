const { TestEnvironment } = require('jest-environment-node');

/** `TODAY=2028-02-29 npx jest`: the moment at which each worker begins; a day begins in UTC. */
const { TODAY } = process.env;
const aheadMs = TODAY === undefined ? 0 : Date.parse(TODAY) - Date.now();

/** Moves the clock of a realm: that of n8n, or of a test file. */
function moveClock(realm) {
	const { Date: Original } = realm;
	const { now } = Original;
	Original.now = () => now() + aheadMs;
	realm.Date = new Proxy(Original, {
		construct: (target, given, called) =>
			Reflect.construct(target, given.length === 0 ? [target.now()] : given, called),
	});
}
if (aheadMs !== 0) moveClock(globalThis);

// Jest would load n8n for each test file, which takes seconds. Node.js loads it once for each worker.
const folder = process.env.LINKSTORE_ENGINE ?? `${__dirname}/..`;
const n8n = {
	core: require(`${folder}/node_modules/n8n-core`),
	workflow: require(`${folder}/node_modules/n8n-workflow`),
};

/** The environment of Node.js, in which `globalThis.n8n` is what a worker has loaded of n8n. */
module.exports = class extends TestEnvironment {
	constructor(...given) {
		super(...given);
		// What n8n throws has to be an `Error` for the nodes, and what they throw for n8n.
		Object.setPrototypeOf(this.global.Error.prototype, Error.prototype);
		Object.assign(this.global, { Error, n8n });
		if (aheadMs !== 0) moveClock(this.global);
	}
};
