const { transform } = require('../../jest.config.js');

/** The real n8n, with the package as it would be published. `npm run test:e2e` */
module.exports = {
	rootDir: '../..',
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['**/*.test.ts'],
	testEnvironment: 'node',
	transform,
	maxWorkers: 2,
	testTimeout: 180_000,
};
