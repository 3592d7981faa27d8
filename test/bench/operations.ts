import { requestsInWords } from '../operationRequests.ts';
import { OPERATIONS } from '../operations.ts';
import type { Section } from './report.ts';

/** What a test asserts is not measured again. */
export const operations: Section = {
	title: 'Requests of every operation',
	async run() {
		const rows = OPERATIONS.map(({ node, name }) => [`${node} ${name}`, requestsInWords(name)]);
		return await Promise.resolve({
			notes: [
				'For an input item, or for 100 records of a list, as the tests of the engine hold every operation to it. A list takes ' +
					'one more where a full last page claims that another follows. A record that is named instead of given by its ID ' +
					'takes 1 per 100 records of its list besides, once a run, and fewer if all are found sooner.',
			],
			tables: [{ head: ['Operation', 'Requests'], rows: rows.toSorted() }],
			targets: [],
		});
	},
};
