/** Not a test: writes what the tests then hold the nodes to. It runs in Jest because n8n's engine does here. */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	roots: ['<rootDir>/test/schemas'],
	testMatch: ['**/*.write.ts'],
};
