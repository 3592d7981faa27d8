import { config } from '@n8n/node-cli/eslint';
import { globalIgnores } from 'eslint/config';

/**
 * The rules of `n8n-node lint`, for what is published. They do not fit tests and the sandbox, which use Node.js modules; so
 * package.json says `strict: false`, because n8n's strict mode allows no other file than `packages/links/eslint.config.mjs`.
 * `npm run lint` adds the rules of `eslint.own.config.mjs`.
 */
export default [globalIgnores(['sandbox', 'test', 'test-results']), ...config];
