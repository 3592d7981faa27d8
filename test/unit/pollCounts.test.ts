import type { IDataObject } from 'n8n-workflow';

import { linkMilestones } from '../../dist/nodes/LinkManagement/trigger/countEvents.js';
import { pollPicked } from '../../dist/nodes/LinkManagement/trigger/pickedRecords.js';
import type { Poll, PollResult } from '../../dist/nodes/shared/triggers/poll.js';
import { ListServer, PLAIN } from './listServer.ts';

/** Counts of a list that is too long for one poll. A link has as many clicks as its id says, but for a deep one. */

const DEEP = 100;

/** A poll as if n8n had been started again before it: nothing is known of the service but what the state holds. */
async function poll(
	server: ListServer,
	state: IDataObject | undefined,
	clicksOfDeep: number,
): Promise<PollResult> {
	const first = server.requests;
	const parameters: IDataObject = { milestones: '1, 2000' };
	const result = await pollPicked(
		{
			state,
			isTest: false,
			read: (name) => parameters[name],
			connection: { limiter: {} } as Poll['connection'],
			requests: () => server.requests - first,
			warn: () => undefined,
			async send({ query }) {
				const response = server.answer(Number(query?.page), Number(query?.limit ?? 0));
				const { urls } = response.body.data as { urls: IDataObject[] };
				for (const link of urls) link.clicks = link.id === DEEP ? clicksOfDeep : link.id;
				return await Promise.resolve(response);
			},
		},
		linkMilestones,
	);
	return { ...result, state: JSON.parse(JSON.stringify(result.state)) as IDataObject };
}

describe.each(['newestFirst', 'oldestFirst'] as const)('a list that is %s', (order) => {
	test.each(['obeyed', 'ignored', 'refused'] as const)(
		'is read to its end over polls, and only noted, where a page has 50 records and `limit` is %s',
		async (limit) => {
			const server = new ListServer({ ...PLAIN, order, limit, cap: 50 });
			server.create(1500);
			let state: IDataObject | undefined;
			for (let polls = 0; polls < 4; polls += 1) {
				const done = await poll(server, state, 1);
				expect(done.records).toEqual([]);
				state = done.state;
			}
			const given: IDataObject[] = [];
			for (let polls = 0; polls < 2; polls += 1) {
				const done = await poll(server, state, 2000);
				given.push(...done.records);
				state = done.state;
			}
			expect(given.map(({ id, milestone }) => [id, milestone])).toEqual([[DEEP, 2000]]);
		},
	);
});
