// What a trigger declares (`TriggerDefinition`), with the fields of both; what one of its polls gets (`Poll`), what comes of it, and how
// many requests it may take.

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { Send, Service } from '../http/service';
import { Failure } from '../values/failure';
import type { ParameterValues } from '../values/input';

/** One poll. `runPoll` does n8n's part and sets the deadline; `TriggerDefinition.poll` finds the records. */
export interface Poll {
	/** The state that the last poll left; undefined in the first one, and after a change of what is watched. */
	state: IDataObject | undefined;
	isTest: boolean;
	parameters: ParameterValues;
	/** *Include Existing Records*. */
	emitsExisting: boolean;
	connection: Connection;
	/** Sends a read, which may be sent again. @throws Failure; `outOfTime` if the poll has no time or requests left */
	send: Send;
}

export interface PollResult {
	/** What starts the workflow, the oldest first. In a test, one that would not start it has `is_sample`. */
	records: IDataObject[];
	state: IDataObject | undefined;
	/** What could not be read. The state is kept; the poll fails with it unless it starts the workflow. */
	failure?: Failure | undefined;
}

export interface TriggerDefinition {
	service: Service;
	fields: readonly INodeProperties[];
	/** Identifies what is watched; when it changes, the trigger starts again with a first poll. */
	watchKey: (parameters: ParameterValues) => string;
	/** Most requests of a poll; one that is sent again counts once. */
	requests?: number;
	/** @throws Failure, which leaves the state as it is; after the first poll, `outOfTime` is not an error */
	poll(poll: Poll): Promise<PollResult>;
}

/** Two thirds of the service's 30 requests a minute, so that some are left for others. */
export const REQUESTS_PER_POLL = 20;

export const outOfRequests = (): Failure =>
	new Failure({
		kind: 'outOfTime',
		message: 'The list could not be read within one poll',
		advice: 'Try again later, or pick the record by its ID',
	});

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
