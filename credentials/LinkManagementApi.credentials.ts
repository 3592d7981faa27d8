import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';

import { linkService } from '../nodes/LinkManagement/service';
import {
	apiKeyField,
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
		apiKeyField('The API key from your account at the service'),
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
			{
				displayName: 'Short Link Domain',
				name: 'shortDomain',
				type: 'string',
				default: '',
				placeholder: 'e.g. exm.pl',
				description:
					'Where the service puts links without a domain. Empty means the host of the Base URL. Links of Create or Update are found by it.',
			},
			...extraHeaderFields,
		]),
	];

	authenticate: IAuthenticate = linkService.authenticate;
}
