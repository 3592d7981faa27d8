// The credentials of a node: a second one that nobody can fill in, and a hidden field that selects it, keep the key out of
// expressions.

import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** A credential type that no package has. */
const UNUSED = 'linkstoreUnusedApi';

/**
 * Keeps the key out of `$credentials`, which expressions in a declarative node can read. If a node lists two credential types,
 * `$credentials` holds the one that `authentication` selects: here the unused one, which nobody can fill in.
 */
export const nodeCredentials = (
	used: Pick<INodeCredentialDescription, 'name' | 'testedBy'>,
): INodeCredentialDescription[] => [
	// It comes first: n8n looks for one that it knows, and warns of others before that.
	{ ...used, required: true },
	// `@tool` comes first, because nothing meets it: n8n shows a credential as soon as one condition meets an expression.
	{ name: UNUSED, displayOptions: { show: { '@tool': [], authentication: ['none'] } } },
];

/** Hidden. If each option had a credential type, the editor would offer a choice. */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'hidden',
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'None', value: 'none' },
	],
	default: 'none',
};
