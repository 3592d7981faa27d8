import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/**
 * n8n evaluates the fields of a declarative node once with the credential as `$credentials`, and an expression could bring
 * the key out of there, in an error for instance. Of two credential types n8n takes the one for the value of
 * `authentication`. Here that is a type that the node never has, so `$credentials` is undefined.
 * @param unused another credential type of this package
 */
export const nodeCredentials = (
	used: Pick<INodeCredentialDescription, 'name' | 'testedBy'>,
	unused: string,
): INodeCredentialDescription[] => [
	{ ...used, required: true },
	// `@tool` comes first, because n8n shows what depends on an expression, and has no value that shows it.
	{ name: unused, displayOptions: { show: { '@tool': [], authentication: ['none'] } } },
];

/** Not shown. The editor offers a choice of credentials if each option had one. */
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
