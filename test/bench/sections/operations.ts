import { LINK_UPDATE_WITH_URL, OPERATION_REQUESTS } from '../../engine/operationRequests.ts';
import type { Section } from '../section.ts';

/** What a test asserts is not measured again. */
export const operations: Section<never> = {
	title: 'Requests of every operation',
	targets: {},
	async run() {
		const counted = {
			...OPERATION_REQUESTS,
			'link link.update, with a new long URL': LINK_UPDATE_WITH_URL,
		};
		return await Promise.resolve({
			notes: [
				'As [requests.test.ts](test/engine/requests.test.ts) holds every operation to it, with three input items or three pages of ' +
					'a list. A list takes one more where a full last page claims that another follows.',
			],
			tables: [
				{
					head: ['Operation', 'Requests', 'Per'],
					rows: Object.entries(counted)
						.toSorted(([a], [b]) => a.localeCompare(b))
						.map(([name, { requests, per }]) => [name, requests, per]),
				},
			],
			outcomes: {},
			wrong: [],
		});
	},
};
