import { readFileSync } from 'node:fs';

import { OPERATION_NODES, OPERATIONS } from '../operations.ts';

/** The README lists every operation, under the names that the dropdowns have for it. */

const readme = readFileSync('README.md', 'utf8');

const cells = (line: string): string[] => line.split('|').map((cell) => cell.trim());

/** `Link > Create` for each row of the table under a heading; a resource's name stands in its first row only. */
function listedUnder(heading: string): string[] {
	const section = readme.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
	const rows = section.split('\n').filter((line) => line.startsWith('|'));
	let resource = '';
	return rows.slice(2).map((row) => {
		const [, first = '', operation = ''] = cells(row);
		resource = first.replaceAll('*', '') || resource;
		return `${resource} > ${operation}`;
	});
}

test.each(Object.entries(OPERATION_NODES))(
	'the README lists the operations of %s',
	(name, { node, resources }) => {
		const offered = OPERATIONS.filter((operation) => operation.node === name).map(
			({ name: path, option }) => {
				const resource = resources.find(({ value }) => path.startsWith(`${value}.`));
				return `${resource?.name} > ${option.name}`;
			},
		);
		expect(listedUnder(node.description.displayName).sort()).toEqual(offered.sort());
	},
);
