import type { INodeParameters } from 'n8n-workflow';

import type { Step } from '../e2e/workflow.ts';

/** What a user would take instead of the nodes: n8n's own HTTP Request node, in its newest version, with the same credential. */

interface HttpRequest {
	credential?: 'linkManagementApi' | 'storeApi';
	method?: 'GET' | 'POST' | 'PUT';
	url: string;
	/** Members of the JSON body */
	body?: Record<string, string>;
	options?: INodeParameters;
}

export function httpRequest(
	name: string,
	{ credential = 'linkManagementApi', method = 'GET', url, body, options = {} }: HttpRequest,
): Step {
	const members = Object.entries(body ?? {}).map(([member, value]) => ({ name: member, value }));
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method,
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential,
			...(body === undefined ? {} : { sendBody: true, bodyParameters: { parameters: members } }),
			options,
		},
	};
}

/** Its option *Pagination*, for the lists of the service: as many records a page as the nodes ask for. */
export const EVERY_PAGE: INodeParameters = {
	pagination: {
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: {
				parameters: [
					{ type: 'qs', name: 'limit', value: '100' },
					{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' },
				],
			},
			paginationCompleteWhen: 'other',
			// `nextpage` would not do: the document leaves open what the last page says there.
			completeExpression: '={{ $response.body.data.currentpage >= $response.body.data.maxpage }}',
		},
	},
};
