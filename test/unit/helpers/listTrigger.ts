import type { IDataObject } from 'n8n-workflow';

import type { ListEvent } from '../../../dist/nodes/LinkManagement/trigger/events.js';
import { LIST_EVENTS } from '../../../dist/nodes/LinkManagement/trigger/events.js';
import { pollList } from '../../../dist/nodes/LinkManagement/trigger/pollList.js';
import type { Poll } from '../../../dist/nodes/shared/triggers/runPoll.js';
import type { Failure } from '../../../dist/nodes/shared/values/failure.js';
import { toFailure } from '../../../dist/nodes/shared/values/failure.js';
import type { ListServer } from './listServer.ts';
import { pollOf } from './listServer.ts';
import { VirtualTime } from './virtualTime.ts';

export interface Polled {
	ids: number[];
	requests: number;
	failure: Failure | undefined;
}

function eventOf(name: string): ListEvent {
	const event = LIST_EVENTS[name];
	if (!event) throw new Error(`There is no event ${name}`);
	return event;
}

/** A trigger for new records of a list, with the state that n8n stores. */
export class ListTrigger {
	state: IDataObject | undefined;
	readonly warnings: string[] = [];
	private readonly server: ListServer;
	readonly event: string;
	private readonly listEvent: ListEvent;
	private readonly time: VirtualTime;

	constructor(server: ListServer, event = 'linkCreated', time = new VirtualTime()) {
		this.server = server;
		this.event = event;
		this.listEvent = eventOf(event);
		this.time = time;
	}

	/** A poll; if it fails, n8n keeps the state. */
	async poll(): Promise<Polled> {
		const connection: Partial<Poll['connection']> = { clock: this.time };
		const { listName } = this.listEvent.list.source;
		const poll = pollOf(
			(request) => {
				const { body } = this.server.respond(request);
				const { urls, ...numbers } = body.data as IDataObject;
				return { error: '0', data: { ...numbers, [listName]: urls } };
			},
			{ state: this.state, connection: connection as Poll['connection'] },
		);
		const result = await pollList(poll, this.listEvent).catch((error: unknown) => ({
			records: [],
			state: this.state,
			failure: toFailure(error),
		}));
		if (result.state) this.state = JSON.parse(JSON.stringify(result.state)) as IDataObject;
		const ids = result.records.map(({ id }) => Number(id));
		return { ids, requests: poll.requests(), failure: result.failure };
	}

	/** The requests of polls that follow, and the IDs that they return. */
	async polls(count: number): Promise<{ ids: number[]; requests: number[]; failures: number }> {
		const polled: Polled[] = [];
		for (let done = 0; done < count; done += 1) polled.push(await this.poll());
		return {
			ids: polled.flatMap(({ ids }) => ids),
			requests: polled.map(({ requests }) => requests),
			failures: polled.filter(({ failure }) => failure).length,
		};
	}
}
