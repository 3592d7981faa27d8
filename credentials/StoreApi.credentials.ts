import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';

import { baseUrlField, requestsPerMinuteField } from '../nodes/shared/credentialFields';
import { apiKeyPlaceFields, authenticateStoreRequest } from '../nodes/Store/authenticate';

/** Address and key of a store service. Its test is the node's: see `shared/lookup.ts`. */
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
		requestsPerMinuteField(0),
	];

	authenticate: IAuthenticate = authenticateStoreRequest;
}
