/**
 * Tests are TypeScript, checked by `npm run types` and only stripped here.
 * What they test of the package is the compiled `dist`, because that is what is published.
 */
module.exports = {
	testEnvironment: 'node',
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } }],
	},
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testTimeout: 30_000,
};
