const base = require('../../../jest.config.js');

/** The tests of the engine with an older n8n. `npm run test:older` */
module.exports = {
	...base,
	rootDir: '../../..',
	roots: ['<rootDir>/test/engine'],
	// Those tests give the model's words to the node as the present n8n does; this one did it in another way.
	testPathIgnorePatterns: ['aiTool\\.test\\.ts$'],
	// The older n8n leaves a timer behind.
	forceExit: true,
	moduleNameMapper: {
		'^n8n-(core|workflow)$': '<rootDir>/test/n8n-host/older/n8n-$1.cjs',
	},
};
