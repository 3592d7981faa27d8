import { createHash } from 'node:crypto';

import type { IDataObject, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import type * as Lists from '../../../dist/nodes/LinkManagement/lists.js';
import type * as ServiceModule from '../../../dist/nodes/LinkManagement/service.js';
import type * as Watch from '../../../dist/nodes/LinkManagement/trigger/watch.js';
import type * as ClockModule from '../../../dist/nodes/shared/http/clock.js';
import type * as ConnectionModule from '../../../dist/nodes/shared/http/connection.js';
import type { ApiRequest, HttpResponse } from '../../../dist/nodes/shared/http/exchange.js';
import type * as Limiter from '../../../dist/nodes/shared/http/rateLimiter.js';
import type * as RequestModule from '../../../dist/nodes/shared/http/request.js';
import type * as ListSearch from '../../../dist/nodes/shared/lists/listSearch.js';
import type * as ListWalk from '../../../dist/nodes/shared/lists/listWalk.js';
import type * as Pages from '../../../dist/nodes/shared/lists/pages.js';
import type * as RunState from '../../../dist/nodes/shared/operations/runState.js';
import type * as RunPoll from '../../../dist/nodes/shared/triggers/runPoll.js';
import type * as Digest from '../../../dist/nodes/shared/values/digest.js';
import { OwnModules } from './ownModules.ts';
import type { Random } from './random.ts';
import type { RatedServer } from './ratedServer.ts';
import type { VirtualTime } from './virtualTime.ts';

/** A trigger, and what n8n stores for it. */
export interface StoredTrigger {
	event: string;
	stored: IDataObject;
}

/** A credential's, without a limit of its own unless the service states none. */
const CREDENTIAL = { baseUrl: 'https://links.example', apiKey: 'the-key', requestsPerMinute: 120 };

const UNUSED = async (): Promise<never> => await Promise.reject(new Error('Sent past the server'));

/** The packages' parts that readers of lists are made of, in a copy of their own. */
function modulesOf(own: OwnModules) {
	return {
		...(own.load('shared/http/connection.js') as typeof ConnectionModule),
		...(own.load('shared/http/rateLimiter.js') as typeof Limiter),
		...(own.load('shared/http/request.js') as typeof RequestModule),
		...(own.load('shared/lists/listSearch.js') as typeof ListSearch),
		...(own.load('shared/lists/listWalk.js') as typeof ListWalk),
		...(own.load('shared/lists/pages.js') as typeof Pages),
		...(own.load('shared/operations/runState.js') as typeof RunState),
		...(own.load('shared/triggers/runPoll.js') as typeof RunPoll),
		...(own.load('LinkManagement/lists.js') as typeof Lists),
		...(own.load('LinkManagement/service.js') as typeof ServiceModule),
		...(own.load('LinkManagement/trigger/watch.js') as typeof Watch),
	};
}

/** A process of n8n that was just started, with triggers, runs and dropdowns that use one key. */
export class NodeProcess {
	readonly rated: RatedServer;
	readonly time: VirtualTime;
	private readonly modules: ReturnType<typeof modulesOf>;
	private readonly search: ListSearch.ListSearch;
	private readonly list: typeof Lists.links;

	constructor(rated: RatedServer, time: VirtualTime, random: Random) {
		this.rated = rated;
		this.time = time;
		const own = new OwnModules(() => random.next());
		const { systemClock } = own.load('shared/http/clock.js') as typeof ClockModule;
		systemClock.now = () => time.now();
		systemClock.epoch = () => time.epoch();
		systemClock.sleep = async (milliseconds) => {
			await time.sleep(milliseconds);
		};
		const connecting = own.load('shared/http/connection.js') as { connect: unknown };
		connecting.connect = this.connect;
		// The real one takes time that is not virtual.
		const hashing = own.load('shared/values/digest.js') as { digest: typeof Digest.digest };
		hashing.digest = async (text, length) =>
			await Promise.resolve(createHash('sha256').update(text).digest('base64url').slice(0, length));
		this.modules = modulesOf(own);
		const { links, linkService, searchOf } = this.modules;
		const name = ({ id }: IDataObject) => `link-${Number(id)}`;
		this.list = { ...links, names: (record) => [name(record)], label: name };
		this.search = searchOf(linkService, this.list);
	}

	private get connection(): ConnectionModule.Connection {
		const { connectionWith, linkService } = this.modules;
		return {
			...connectionWith(linkService, CREDENTIAL, UNUSED),
			sendOnce: async (request: ApiRequest): Promise<HttpResponse> =>
				await this.rated.respond(request, this.time),
		};
	}

	private readonly connect = async (): Promise<ConnectionModule.Connection> =>
		await Promise.resolve(this.connection);

	/** A poll of a trigger, which n8n stores the state of. @returns the IDs */
	async poll({ event, stored }: StoredTrigger): Promise<number[]> {
		const parameters: IDataObject = { event, options: {} };
		const context = {
			getMode: () => 'trigger',
			getWorkflow: () => ({ id: 'workflow' }),
			getNode: () => ({ id: event, name: event, parameters }),
			getNodeParameter: (name: string) => parameters[name] ?? null,
			getWorkflowStaticData: () => stored,
			logger: { warn: () => undefined },
		} as unknown as IPollFunctions;
		const items = await this.modules.runPoll(context, this.modules.watchEvents);
		return (items?.[0] ?? []).map(({ json }) => Number(json.id));
	}

	/** *Get Many* of a run. @returns the IDs */
	async getMany(limit: number): Promise<number[]> {
		const { ListWalk, pagesOf } = this.modules;
		const state = this.runState(1);
		const accepted = state.acceptedLimit(this.list.source.path);
		const walk = new ListWalk(pagesOf(this.list.source, state.send), {
			limit: Math.min(limit, 100),
			accepted,
		});
		const ids: number[] = [];
		for await (const records of walk.pages()) {
			ids.push(...records.map(({ id }) => Number(id)));
			if (ids.length >= limit) break;
		}
		return ids.slice(0, limit);
	}

	/** What *Create or Update* looks up for its rows. @returns the IDs that were found, or why not */
	async lookUp(ids: readonly number[]): Promise<unknown[]> {
		const { index, reads } = this.runState(ids.length).listOf(this.list);
		return await Promise.all(
			ids.map(
				async (id) =>
					await reads
						.within(Infinity, async () => await index.all(`link-${id}`, true))
						.then((found) => found.map((record) => record.id), String),
			),
		);
	}

	/** A person opens a dropdown and scrolls, or types letters. @returns the entries, page by page */
	async dropdown(filters: readonly string[], pages: number): Promise<unknown[]> {
		const context = { getNode: () => ({ name: 'Links' }) } as unknown as ILoadOptionsFunctions;
		const shown: unknown[] = [];
		for (const filter of filters) {
			let token: string | undefined;
			for (let page = 0; page < pages; page += 1) {
				const { results, paginationToken } = await this.search.call(context, filter, token);
				shown.push(results.map(({ value }) => value));
				token = paginationToken;
				if (token === undefined) break;
			}
		}
		return shown;
	}

	private runState(rows: number): RunState.RunState {
		const { LimitedRun, RunState, senderOf } = this.modules;
		const options = { isRead: true, urgent: false, run: new LimitedRun(rows) };
		return new RunState(senderOf(this.connection, options));
	}
}
