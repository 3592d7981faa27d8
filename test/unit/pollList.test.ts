import type { IDataObject } from 'n8n-workflow';

import { LIST_EVENTS } from '../../dist/nodes/LinkManagement/trigger/events.js';
import { pollList } from '../../dist/nodes/LinkManagement/trigger/pollList.js';
import type { ServiceResponse } from '../../dist/nodes/shared/http/request.js';
import type { Poll } from '../../dist/nodes/shared/triggers/runPoll.js';
import { Failure } from '../../dist/nodes/shared/values/failure.js';
import { ListServer, PLAIN } from './listServer.ts';

/** Polls for new links with their details, of which one cannot be read: the second of three. */

const { linkCreated } = LIST_EVENTS;
if (!linkCreated) throw new Error('There is no such event');

const failed = /details of record 2 cannot be read/;

test.each<[string, IDataObject | Failure, unknown[]]>([
	[
		'a status of 500',
		new Failure({ kind: 'unreadable', httpCode: 500, message: 'Broken' }),
		[[[1]], failed, [[2, 'Broken'], [3]]],
	],
	[
		'a status of 503',
		new Failure({ kind: 'unavailable', httpCode: 503, message: 'Down' }),
		[[[1]], failed, [[2, 'Down'], [3]]],
	],
	[
		'no response',
		new Failure({ kind: 'unreachable', message: 'Closed' }),
		[[[1]], failed, [[2, 'Closed'], [3]]],
	],
	[
		'those of another link',
		{ details: { id: 55 }, data: {} },
		[[[1]], failed, [[2, expect.stringMatching('another record \\(ID 55\\)')], [3]]],
	],
	[
		'a refusal',
		new Failure({ kind: 'refused', httpCode: 403, message: 'Not yours' }),
		[[[1], [2, 'Not yours'], [3]], [], []],
	],
	[
		'a refused key',
		new Failure({ kind: 'unauthorized', message: 'Wrong key' }),
		[[[1]], /Wrong key/, /Wrong key/],
	],
])('details that are always %s', async (_what, bad, expected) => {
	const server = new ListServer(PLAIN);
	server.create(3);
	const connection = { limiter: {} } as Poll['connection'];
	let state: IDataObject | undefined = { id: 0 };
	const poll = async () => {
		let requests = 0;
		const result = await pollList(
			{
				...{ state, isTest: false, connection, warn: () => undefined, requests: () => requests },
				read: () => ({ includeDetails: true }),
				async send({ path, query }) {
					requests += 1;
					if (path === '/api/urls') return server.answer(Number(query?.page), Number(query?.limit));
					const id = Number(path.split('/').at(-1));
					const body = id === 2 ? bad : { details: { id }, data: {} };
					if (body instanceof Failure) throw body;
					return await Promise.resolve({ body } as Partial<ServiceResponse> as ServiceResponse);
				},
			},
			linkCreated,
		);
		state = result.state;
		return result.records.map(({ id, details_error: error }) => (error ? [id, error] : [id]));
	};
	for (const wanted of expected) {
		if (wanted instanceof RegExp) await expect(poll()).rejects.toThrow(wanted);
		else expect(await poll()).toEqual(wanted);
	}
});

test.each([
	['IDs that are no numbers', { urls: [{ id: 'u-7' }, { id: '12.0' }] }, 'no readable ID'],
	['no records, but a number of them', { urls: [], result: 5 }, 'has 5 records'],
])('a list with %s fails the poll', async (_what, data, message) => {
	const poll: Poll = {
		...{ state: undefined, isTest: false, connection: { limiter: {} } as Poll['connection'] },
		...{ warn: () => undefined, requests: () => 0, read: () => ({}) },
		send: async () => await Promise.resolve({ body: { data }, answeredAt: 0 }),
	};
	await expect(pollList(poll, linkCreated)).rejects.toThrow(message);
});
