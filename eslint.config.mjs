import { config as n8nConfig } from '@n8n/node-cli/eslint';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** What is published: the rules of `n8n-node lint` hold here, and the strictest of ours. */
const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** n8n's rules for all files do not fit tests and the sandbox, which use modules of Node.js. */
const n8nRules = n8nConfig.map((entry) =>
	entry.files?.includes('**/*.ts') ? { ...entry, files: SHIPPED } : entry,
);

/** The rooms of `nodes/shared`: each may import only from itself and from those before it. */
const ROOMS = ['values', 'http', 'lists', 'operations', 'triggers'];

/** For each room, an error for every import from a room after it, or from a node. */
const roomRules = ROOMS.map((room, index) => ({
	files: [`nodes/shared/${room}/**/*.ts`],
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						group: [
							...ROOMS.slice(index + 1).map((later) => `**/${later}/*`),
							'**/LinkManagement/**',
							'**/Store/**',
						],
						message: `nodes/shared/${room} may import from ${['itself', ...ROOMS.slice(0, index)].join(', ')} only`,
					},
				],
			},
		],
	},
}));

/** Members of a literal are written one a line, not packed into a second literal to save lines. */
const NO_PACKED_MEMBERS = {
	selector: 'ObjectExpression > SpreadElement > ObjectExpression',
	message: 'Write these members into the object itself',
};

export default tseslint.config(
	{ ignores: ['**/dist/', 'node_modules/', 'test-results/', 'coverage/'] },
	{ linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
	...n8nRules,

	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
		languageOptions: {
			// Two programs; a project service makes one of each folder, which takes half as long again.
			parserOptions: {
				project: ['tsconfig.json', 'test/tsconfig.json'],
				tsconfigRootDir: import.meta.dirname,
			},
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/no-explicit-any': 'error',
			'no-restricted-syntax': ['error', NO_PACKED_MEMBERS],
		},
	},
	{
		files: SHIPPED,
		plugins: { regexp },
		rules: {
			// Services and users choose what is matched, and n8n has one thread.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { ignoreSticky: false, report: 'potential' }],
			'@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
			// As the style guide has them.
			'max-lines': ['error', 200],
			'max-lines-per-function': ['error', 40],
			complexity: ['error', 10],
			'no-restricted-syntax': [
				'error',
				NO_PACKED_MEMBERS,
				{
					selector: ':matches(CallExpression, NewExpression)[callee.name="RegExp"]',
					message:
						'Write the expression as a literal, so that lint can tell whether it takes linear time',
				},
			],
		},
	},
	...roomRules,
);
