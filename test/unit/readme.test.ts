import { readFileSync } from 'node:fs';

import { LINK_UPDATE_WITH_URL, requestsOf } from '../operationRequests.ts';
import { OPERATION_NODES, OPERATIONS } from '../operations.ts';

/** The README lists every operation, under the names that the dropdowns have for it, with what it costs. */

const readme = readFileSync('README.md', 'utf8');

const cells = (line: string): string[] => line.split('|').map((cell) => cell.trim());

/** `Link > Create: 1` for each row of the table under a heading; a resource's name stands in its first row only. */
function listedUnder(heading: string): string[] {
	const section = readme.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
	const rows = section.split('\n').filter((line) => line.startsWith('|'));
	let resource = '';
	return rows.slice(2).map((row) => {
		const [, first = '', operation = '', , requests = ''] = cells(row);
		resource = first.replaceAll('*', '') || resource;
		return `${resource} > ${operation}: ${requests}`;
	});
}

const COSTS = {
	item: '',
	'100 records': ' per 100',
	'different purchase code': ' per different code',
} as const;

function costOf(operation: string): string {
	const { requests, per, elsewhere } = requestsOf(operation);
	if (operation === 'link.update') {
		return `${LINK_UPDATE_WITH_URL.requests}, or ${requests} without a new URL`;
	}
	return `${requests}${COSTS[per]}${elsewhere === undefined ? '' : `, and ${elsewhere}`}`;
}

test.each(Object.entries(OPERATION_NODES))(
	'the README lists the operations of %s and their requests',
	(node, { node: { description }, resources }) => {
		const offered = OPERATIONS.filter((operation) => operation.node === node);
		const expected = offered.map(({ name, option }) => {
			const resource = resources.find(({ value }) => name.startsWith(`${value}.`));
			return `${resource?.name} > ${option.name}: ${costOf(name)}`;
		});
		expect(listedUnder(description.displayName).sort()).toEqual(expected.sort());
	},
);
