const base = require('../../jest.config.js');

const folder = process.env.LINKSTORE_ENGINE;
if (!folder) throw new Error('Run this with npm run test:versions');

/** What depends on the engine, with the engine of another n8n. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/engine'],
	// What only the nodes decide is the same on every engine: what is sent again, and how many requests an operation costs. How
	// an engine reports a connection that breaks, connection.test.ts shows. Older ones have no protection that refuses addresses.
	testPathIgnorePatterns: ['shared/blockedAddress', 'matrices/faults', 'shared/rateLimit'].map(
		(name) => `/engine/${name}\\.test\\.ts$`,
	),
	moduleNameMapper: { '^n8n-(core|workflow)$': `${folder}/node_modules/n8n-$1` },
	// Jest would leave one core to others; nobody else is there.
	maxWorkers: '100%',
	// Older engines leave a timer behind.
	forceExit: true,
};
