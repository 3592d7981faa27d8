// Fields of both triggers: Trigger On and Include Existing Records. The others are in each node's trigger/triggerFields.ts.

import type { INodeProperties } from 'n8n-workflow';

import type { Poll } from './poll';

/** How n8n shows an event. @param name in title case */
export const shownEvent = (name: string, description: string) => ({
	name,
	action: `On ${name.replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())}`,
	description,
});

export function eventField(
	events: Readonly<Record<string, ReturnType<typeof shownEvent>>>,
	defaultEvent: string,
): INodeProperties {
	const options = Object.entries(events).map(([value, shown]) => ({ value, ...shown }));
	return {
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options,
		default: defaultEvent,
	};
}

export const emitExistingField: INodeProperties = {
	displayName: 'Include Existing Records',
	name: 'emitExisting',
	type: 'boolean',
	default: true,
	description:
		'Whether to also start the workflow for records that exist when it is published. A large account takes several polls.',
};

/** Whether a poll only notes what exists. */
export const notesOnly = ({ isTest, state, emitsExisting }: Poll): boolean =>
	!isTest && !state && !emitsExisting;
