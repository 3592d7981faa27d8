const base = require('../../../jest.config.js');

const folder = process.env.LINKSTORE_OLDER_N8N;
if (!folder) throw new Error('Run this with node test/n8n-host/older/run.ts');

/** The tests of the engine, all of them, with the engine of an older n8n. `npm run test:older` */
module.exports = {
	...base,
	rootDir: '../../..',
	roots: ['<rootDir>/test/engine'],
	moduleNameMapper: { '^n8n-(core|workflow)$': `${folder}/node_modules/n8n-$1` },
	// The older n8n leaves a timer behind.
	forceExit: true,
};
