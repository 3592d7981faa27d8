import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';

import { storeService } from '../nodes/Store/service';
import {
	baseUrlField,
	behindSwitch,
	extraHeaderFields,
	requestsPerMinuteField,
} from './credentialFields';

/**
 * Where the key goes; `storeService.authenticate` reads them. They stay in this file and outside of the class: anywhere else,
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
				description: 'In the JSON body; in the query for requests without a body',
			},
			{
				name: 'Body (Form)',
				value: 'form',
				description:
					'In form data, as a web form sends it; in the query for requests without a body',
			},
			{
				name: 'Header',
				value: 'header',
				description: 'In a header, which few stores read',
			},
			{ name: 'Query', value: 'query', description: 'In the URL of each request' },
		],
		default: 'body',
		description:
			'Where the store expects the key. With a Known Valid Code, the connection test finds the place.',
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

/** What the node knows of the store's purchase codes. Outside of the class, too: lint takes a code for no secret. */
const codeFields: INodeProperties[] = [
	{
		displayName: 'Invalid Code Message',
		name: 'invalidCodeMessage',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Código de compra inválido',
		description:
			'Most stores need nothing here: they use status 404. Else, what the store says about an invalid code: whole messages, one a line.',
	},
	{
		displayName: 'Known Valid Code',
		name: 'knownValidCode',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'A purchase code that stays valid, such as one of your own. With it, the connection test finds out where the store expects the key. Kept secret like the API key.',
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
			description:
				"The API key of the account that sells the items, from the workspace settings of the store's website. Any other account's key makes every code invalid.",
		},
		...behindSwitch([
			...apiKeyPlaceFields,
			...codeFields,
			requestsPerMinuteField(storeService.documentedLimit),
			...extraHeaderFields,
		]),
	];

	authenticate: IAuthenticate = storeService.authenticate;
}
