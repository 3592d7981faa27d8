const { join } = require('node:path');

/** @returns a module of the n8n whose folder `LINKSTORE_OLDER_N8N` names */
module.exports = (name) => {
	const folder = process.env.LINKSTORE_OLDER_N8N;
	if (!folder) throw new Error('Run this with node test/n8n-host/older/run.ts');
	return join(folder, 'node_modules', name);
};
