const base = require('../../jest.config.js');

if (!process.env.LINKSTORE_ENGINE) throw new Error('Run this with npm run test:versions');

/** What depends on the engine, with the engine of another n8n: operations, runs and triggers. The rest only the nodes decide. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/engine'],
	testMatch: [
		'**/engine/**/{operations,batchRun,trigger}.test.ts',
		'**/engine/LinkManagement/trigger/*.test.ts',
	],
	// Older engines leave a timer behind.
	forceExit: true,
};
