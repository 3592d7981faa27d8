import type { INode } from 'n8n-workflow';

import type { CredentialRef, WorkflowJson } from '../n8n-host/client.ts';

/** The type of credential that nodes take, by the beginning of their type. */
const BY_NODE = {
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-linkstore.linkManagement': 'linkManagementApi',
	'n8n-nodes-linkstore.store': 'storeApi',
};

/** The same, by what they say under *Authentication*. */
const BY_AUTHENTICATION = { basicAuth: 'httpBasicAuth', bearerAuth: 'httpBearerAuth' };

/** As n8n's editor does it for an imported workflow: nodes that name no credential get the newest of their type. */
export function pickNewest(workflow: WorkflowJson, credentials: CredentialRef[]): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		const found = credentials.findLast(({ type }) => type === neededType(node));
		if (node.credentials !== undefined || found === undefined) return node;
		return { ...node, credentials: { [found.type]: { id: found.id, name: found.name } } };
	});
	return { ...workflow, nodes };
}

function neededType({ type, parameters }: INode): string | undefined {
	const byNode = Object.entries(BY_NODE).find(([beginning]) => type.startsWith(beginning));
	const byAuthentication = Object.entries(BY_AUTHENTICATION).find(
		([authentication]) => parameters.authentication === authentication,
	);
	return (byNode ?? byAuthentication)?.[1];
}
