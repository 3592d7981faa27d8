import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/faults.ts';
import type { Fixture } from '../../fixtures.ts';
import { FIXTURES } from '../../fixtures.ts';
import { choicesOf } from '../../operations.ts';
import type { Credentials, NodeResult } from './engine.ts';
import { nodeType, searchList, testCredential } from './engine.ts';
import { prepare, runFixture } from './fixture.ts';
import type { Stage } from './support.ts';
import { byId, pairs } from './support.ts';
import { ActiveTrigger } from './trigger.ts';

/** Everything that sends requests to a service: operations, dropdowns, triggers and credential tests. */

export interface Subject {
	name: string;
	service: 'link' | 'store';
	kind: Fixture['kind'] | 'dropdown' | 'trigger' | 'test';
	/** The request that the fault meets, `GET /api/url/:id`; undefined: any. */
	request?: string;
	effect: 'read' | 'write';
	/** Whether that request is for a page, or for a list without pages. */
	reads?: 'page' | 'list' | undefined;
	/** How many requests it sends without a fault. */
	requests: number;
	/** How many of them go before that request. */
	before: number;
	/** Makes what it needs. @returns its input rows */
	prepare(stage: Stage): Promise<IDataObject[]>;
	run(stage: Stage, rows: IDataObject[]): Promise<Result>;
}

export interface Result {
	/** To be the same as without the fault. */
	output: unknown;
	isEmpty: boolean;
	error?: NodeResult['error'];
	/** All that n8n gets. */
	everything: unknown;
}

/** The service gives no larger pages of a list, and the last one has a single record. */
export const LARGEST_PAGE = '25';
const PAGES = 3;
const RECORDS_LISTED = (PAGES - 1) * Number(LARGEST_PAGE) + 1;

/** As the service limits requests, too. */
const PACED = { requestsPerMinute: 30 };

const rowsOf = (kind: Subject['kind']): number => (kind === 'write' ? 2 : 1);

const isPaged = (fixture: Fixture): boolean =>
	fixture.requests.some(({ query }) => query && 'page' in query);

const OPERATIONS = FIXTURES.flatMap((fixture) => {
	const { node, name, kind, requests } = fixture;
	const service = node === 'store' ? 'store' : 'link';
	// What an upsert does about a write that fails is in `operations/upsert.test.ts`.
	const tried = kind === 'upsert' ? requests.filter(({ once }) => once) : requests;
	return tried.map(({ request }, before): Subject => {
		const isWrite = kind === 'write' && !request.startsWith('GET ');
		const listKind = kind === 'upsert' || isPaged(fixture) ? 'page' : 'list';
		return {
			name: `${node} ${name}, ${request}`,
			service,
			kind,
			before,
			request: request.replace(/\{\w+\}/g, ':id'),
			effect: isWrite ? 'write' : 'read',
			reads: kind === 'upsert' || kind === 'list' ? listKind : undefined,
			requests: kind === 'list' && isPaged(fixture) ? PAGES : rowsOf(kind) * requests.length,
			async prepare(stage) {
				await stage.enter();
				const count = kind === 'list' ? RECORDS_LISTED : rowsOf(kind);
				return (await prepare(stage, fixture, count)).rows;
			},
			async run(stage, rows) {
				const credential = service === 'link' ? PACED : {};
				const result = await runFixture(stage, fixture, { rows, credential });
				const { error, json, run: everything } = result;
				// The records that a write makes differ each time.
				const output = /write|upsert/.test(kind) ? pairs(result) : json;
				return { output, isEmpty: json.length === 0, error, everything };
			},
		};
	});
});

/** They only read, so they share an account. */
let account: Promise<IDataObject[]> | undefined;

async function accountWithLists(stage: Stage): Promise<IDataObject[]> {
	await stage.enter();
	for (const fixture of FIXTURES.filter(({ kind }) => kind === 'list'))
		await prepare(stage, fixture);
	return [{ channelId: await stage.make('/api/channel/add', { name: 'Spring' }) }];
}

/** What sends one request, or as many as it says. */
function single(
	given: Pick<Subject, 'name' | 'service' | 'kind' | 'reads'> & Partial<Pick<Subject, 'requests'>>,
	send: (credentials: Credentials, channelId: unknown) => Promise<unknown>,
): Subject {
	return {
		effect: 'read',
		requests: 1,
		before: 0,
		...given,
		prepare: async (stage) => await (account ??= accountWithLists(stage)),
		async run(stage, [row]) {
			stage.renewKey();
			stage.sandbox.clearRequests();
			const { linkManagementApi, storeApi } = stage.credentials;
			const link = { ...linkManagementApi, ...PACED } as ICredentialDataDecryptedObject;
			const all = { linkManagementApi: link, ...(storeApi && { storeApi }) };
			return await send(all, row?.channelId).then(
				(output) => ({ output, isEmpty: false, everything: output }),
				(reason: unknown) => {
					const error = reason as NodeResult['error'];
					return { output: null, isEmpty: true, error, everything: error };
				},
			);
		},
	};
}

const SERVICES = [
	{ service: 'link', type: 'linkManagement', reads: 'page' },
	{ service: 'store', type: 'store', reads: 'list' },
] as const;

/** They send nothing. */
const SUGGESTIONS = ['searchCountries', 'searchDevices', 'searchLanguages'];

const DROPDOWNS = SERVICES.flatMap(({ service, type, reads }) =>
	Object.keys(nodeType(`n8n-nodes-linkstore.${type}`).methods?.listSearch ?? {})
		.filter((method) => !SUGGESTIONS.includes(method))
		.map((method) => {
			const parameters = { itemType: 'links' };
			return single(
				{ name: `${type} ${method}`, service, kind: 'dropdown', reads },
				async (credentials) =>
					(await searchList({ type, method, parameters, credentials })).results,
			);
		}),
);

const CODE_EVENTS = ['newPurchase', 'purchaseInvalid', 'supportEnding'];

const TRIGGERS = SERVICES.flatMap(({ service, type, reads }) => {
	const { properties } = nodeType(`n8n-nodes-linkstore.${type}Trigger`).description;
	const events = properties.filter(({ name }) => name === 'event').flatMap(choicesOf);
	return events.map(({ value: event }) => {
		const isCode = CODE_EVENTS.includes(String(event));
		const isList = !isCode && event !== 'balanceChanged';
		// The time of the store, the code, and the key that proves the invalid code.
		const requests = isCode ? 3 : 1;
		const entered: INodeParameters = {
			event: event as string,
			milestones: '1',
			options: { emitExisting: true },
			purchaseCodes: 'x',
		};
		const name = `${type} trigger ${String(event)}`;
		return single(
			{ name, service, kind: 'trigger', reads: isList ? reads : undefined, requests },
			async (credentials, channelId) => {
				const parameters = { ...entered, channelId: byId(Number(channelId)) };
				return await new ActiveTrigger({
					type: `${type}Trigger`,
					parameters,
					credentials,
				}).activate();
			},
		);
	});
});

const TESTS = SERVICES.map(({ service, type }) =>
	single({ name: `${type} credential test`, service, kind: 'test' }, async (credentials) => {
		const credential = credentials[`${type}Api`] ?? {};
		const result = await testCredential(type, `${type}Api`, credential);
		if (result.status === 'Error') throw new Error(result.message);
		return result;
	}),
);

export const SUBJECTS: Subject[] = [...OPERATIONS, ...DROPDOWNS, ...TRIGGERS, ...TESTS];

/** The store has no rate limit that somebody could use up. */
export const canMeet = ({ service }: Subject, fault: FaultKind): boolean =>
	fault !== 'limit-exhausted' || service === 'link';
