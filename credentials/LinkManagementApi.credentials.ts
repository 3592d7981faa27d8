import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';

import { linkService } from '../nodes/LinkManagement/service';
import {
	baseUrlField,
	behindSwitch,
	extraHeaderFields,
	requestsPerMinuteField,
} from './credentialFields';

/** Address and key of a link management service. The node tests it: see `shared/http/credentialTest.ts`. */
export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon = {
		light: 'file:../icons/linkManagement.svg',
		dark: 'file:../icons/linkManagement.dark.svg',
	} as const;

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-linkstore#credentials';

	properties: INodeProperties[] = [
		baseUrlField('e.g. https://links.example.com'),
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The API key from your account at the service',
		},
		...behindSwitch([
			requestsPerMinuteField(linkService.documentedLimit),
			{
				displayName: 'Service Time Zone',
				name: 'timezone',
				type: 'string',
				default: 'UTC',
				placeholder: 'e.g. Europe/Berlin',
				description: 'The time zone of the service, as an IANA name. Expiry dates are sent in it.',
			},
			...extraHeaderFields,
		]),
	];

	authenticate: IAuthenticate = linkService.authenticate;
}
