import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** What is published: here the strictest rules hold. */
const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];

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

/** All rules of one of the plugin's sets, as errors. */
const strict = (set) =>
	Object.fromEntries(Object.keys(n8nNodesBase.configs[set].rules).map((rule) => [rule, 'error']));

export default tseslint.config(
	{ ignores: ['dist/', 'node_modules/', 'test-results/', 'coverage/'] },
	{ linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },

	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
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
			'no-console': 'off',
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
			'no-console': 'error',
		},
	},
	{
		files: SHIPPED,
		// They put an expression together at run time, which the rules above cannot see.
		ignores: ['nodes/shared/http/{mask,classifyResponse}.ts'],
		rules: {
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
	{
		files: [...SHIPPED, 'package.json'],
		...n8nCommunityNodesPlugin.configs.recommended,
		rules: Object.fromEntries(
			Object.keys(n8nCommunityNodesPlugin.configs.recommended.rules).map((rule) => [rule, 'error']),
		),
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...strict('nodes'),
			// These two want the literal 'main'; node-connection-type-literal of the other plugin wants the constant.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...strict('credentials'),
			// For n8n's own repository only; credential-documentation-url of the other plugin wants a URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			// Takes apiKeyHeader, the name of a header, for a secret; credential-password-field of the other plugin checks keys.
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: strict('community'),
	},
);
