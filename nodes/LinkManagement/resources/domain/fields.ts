import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inBody } from '../../../shared/operations/fields';
import { webAddress } from '../../../shared/values/text';

/** What create and update have in common. */
export const domainFields: readonly INodeProperties[] = [
	{
		displayName: 'Not Found Redirect',
		name: 'notFoundRedirect',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com/not-found',
		description: 'Where visitors of a link that does not exist go',
		routing: inBody('redirect404'),
	},
	{
		displayName: 'Root Redirect',
		name: 'rootRedirect',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com',
		description: 'Where visitors of the bare domain go',
		routing: inBody('redirectroot'),
	},
];

const LABELS: Readonly<Record<string, string>> = {
	redirectroot: 'Root Redirect',
	redirect404: 'Not Found Redirect',
};

/** The body of a domain's create or update, with its redirects checked. */
export function domainBody(body: IDataObject): IDataObject {
	const checked: IDataObject = {};
	for (const [name, value] of Object.entries(body)) {
		const label = LABELS[name];
		checked[name] = label === undefined ? value : webAddress(label, value);
	}
	return checked;
}
