import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { pollList } from '../../../dist/nodes/LinkManagement/trigger/pollList.js';
import type { PagedList } from '../../../dist/nodes/LinkManagement/lists.js';
import { outOfRequests, REQUESTS_PER_POLL } from '../../../dist/nodes/shared/triggers/poll.js';
import type { Poll, Watch } from '../../../dist/nodes/shared/triggers/poll.js';
import { scheduledRecords } from '../../../dist/nodes/shared/triggers/scheduledPoll.js';
import { Failure } from '../../../dist/nodes/shared/values/failure.js';
import type { ListServer } from './listServer.ts';

const LIST: PagedList = {
	source: { path: '/api/list', listName: 'records' },
	recordOf: (entry) => entry,
	label: String,
};

const lost = (): Failure => new Failure({ kind: 'noResponse', message: 'No response' });

export interface PollEvents {
	/** Which requests fail. */
	fails?: (request: number) => boolean;
	/** What happens before a request. */
	before?: (request: number) => void;
	/** What n8n does with the state and the records of the poll, with durable cursors. */
	storing?: 'done' | 'late' | 'dropped';
}

let triggers = 0;

/** A trigger for new records of a list in an active workflow, with n8n's part: storing, restarts. */
export class PolledList {
	/** The IDs that started the workflow, in this order. */
	readonly given: number[] = [];
	requests = 0;
	stored: IDataObject = {};
	private late: IDataObject | undefined;
	private held: IDataObject = {};
	private id = 0;

	private readonly server: ListServer;
	private readonly isSorted: boolean;
	private readonly isDurable: boolean;

	constructor(server: ListServer, isSorted: boolean, isDurable: boolean) {
		this.server = server;
		this.isSorted = isSorted;
		this.isDurable = isDurable;
		this.restart();
	}

	/** n8n ends without notice, and starts again. */
	restart(): void {
		triggers += 1;
		this.id = triggers;
		this.storeLate();
		this.held = structuredClone(this.stored);
	}

	/** @returns whether the poll succeeded */
	async activate(): Promise<boolean> {
		const isDone = await this.poll({}, true);
		if (!this.isDurable) this.stored = structuredClone(this.held);
		return isDone;
	}

	/** Whether a reading goes on in the next poll. */
	get isReading(): boolean {
		const { state } = this.held;
		return (state as IDataObject | undefined)?.page !== undefined;
	}

	async poll(events: PollEvents = {}, isActivation = false): Promise<boolean> {
		const { storing = 'done' } = events;
		const passed = this.isDurable ? structuredClone(this.stored) : this.held;
		const before = JSON.stringify(passed);
		// Storing takes less than the time between two polls, or the next one is done in time.
		const isFree = this.late === undefined;
		this.storeLate();
		const records = await this.run(passed, events).catch((error: unknown) => {
			if (error instanceof Failure) return undefined;
			throw error;
		});
		this.server.refreshNumbers();
		const ids = (records ?? []).map(({ id }) => Number(id));
		if (this.isDurable && storing === 'dropped' && !isActivation) return records !== undefined;
		this.given.push(...ids);
		if (!this.isDurable) {
			if (ids.length > 0) this.stored = structuredClone(this.held);
		} else {
			this.held = passed;
			const isChanged = JSON.stringify(passed) !== before;
			const isStored = isChanged && (ids.length > 0 || !isActivation);
			if (isStored && isFree && storing === 'late') this.late = passed;
			else if (isStored) this.stored = passed;
		}
		return records !== undefined;
	}

	private storeLate(): void {
		this.stored = this.late ?? this.stored;
		this.late = undefined;
	}

	private async run(passed: IDataObject, { fails, before }: PollEvents): Promise<IDataObject[]> {
		this.requests = 0;
		const send = async ({ query = {} }: IDataObject) => {
			if (this.requests >= REQUESTS_PER_POLL) throw outOfRequests();
			this.requests += 1;
			before?.(this.requests);
			if (fails?.(this.requests) === true) throw lost();
			return await Promise.resolve({ body: this.server.respond(query as IDataObject) });
		};
		const poll: Partial<Poll> = {
			isTest: false,
			parameter: () => undefined,
			send: send as unknown as Poll['send'],
		};
		const context: Partial<IPollFunctions> = {
			getWorkflow: () => ({ id: String(this.id), active: true }),
			getNode: () => ({ id: 'trigger' }) as ReturnType<IPollFunctions['getNode']>,
			getWorkflowStaticData: () => passed,
		};
		const watch: Partial<Watch> = {
			poll: async (each) => await pollList(each, LIST, this.isSorted),
		};
		return await scheduledRecords(
			context as IPollFunctions,
			watch as Watch,
			'source',
			poll as Poll,
		);
	}
}
