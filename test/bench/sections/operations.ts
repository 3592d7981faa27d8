import { LINK_UPDATE_WITH_URL, requestsOf } from '../../operationRequests.ts';
import { OPERATIONS } from '../../operations.ts';
import type { Section } from '../section.ts';

/** What a test asserts is not measured again. */
export const operations: Section = {
	title: 'Requests of every operation',
	async run() {
		const counted = OPERATIONS.map(({ node, name }) => ({
			name: `${node} ${name}`,
			...requestsOf(name),
		}));
		counted.push({
			name: 'linkManagement link.update, with a new long URL',
			...LINK_UPDATE_WITH_URL,
		});
		return await Promise.resolve({
			notes: [
				'As [faults.matrix.test.ts](test/engine/faults.matrix.test.ts) holds every operation to it, with three input items or three pages of ' +
					'a list. A list takes one more where a full last page claims that another follows.',
			],
			tables: [
				{
					head: ['Operation', 'Requests', 'Per'],
					rows: counted
						.toSorted((a, b) => a.name.localeCompare(b.name))
						.map(({ name, requests, per }) => [name, requests, per]),
				},
			],
			targets: [],
			wrong: [],
		});
	},
};
