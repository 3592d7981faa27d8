import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/**
 * n8n evaluates the fields of a declarative node once with the credential as `$credentials`, from where an expression could
 * leak the key. Of two types n8n takes the one for `authentication`: here one that the node never has.
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
