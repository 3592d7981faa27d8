import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { COLUMN_NAMES } from '../../dist/nodes/LinkManagement/resources/link/columns.js';
import { LIST_EVENTS } from '../../dist/nodes/LinkManagement/trigger/events.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from '../contract/manifest.ts';
import { fixtureOf } from '../fixtures.ts';
import { choicesOf, OPERATION_NODES, OPERATIONS } from '../operations.ts';

/** What the documents say of the nodes, of each other, and of the tests. */

const read = (file: string): string => readFileSync(file, 'utf8');

const DOCUMENTS = globSync(['*.md', '{docs,examples,test}/**/*.md', '.github/**/*.md']);

/** The rows of the first table below a heading, without its head, in cells. */
function tableUnder(file: string, heading: string): string[][] {
	const [, section = ''] = read(file).split(`\n## ${heading}\n`);
	const rows =
		section
			.split('\n## ')[0]
			?.split('\n')
			.filter((line) => line.startsWith('|')) ?? [];
	return rows.slice(2).map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

test('the README counts the endpoints and events, and so does the first entry of the changelog', () => {
	const endpoints = Object.keys({ ...LINK_ENDPOINTS, ...STORE_ENDPOINTS }).length;
	const events = [new LinkManagementTrigger(), new StoreTrigger()].flatMap(({ description }) =>
		description.properties.slice(0, 1).flatMap(choicesOf),
	);
	const [counts] = /All \d+ endpoints and \d+ trigger events/.exec(read('README.md')) ?? [];
	expect(counts).toBe(`All ${endpoints} endpoints and ${events.length} trigger events`);
	const perNode = [LINK_ENDPOINTS, STORE_ENDPOINTS].map((each) => Object.keys(each).length);
	const inChangelog = [...read('CHANGELOG.md').matchAll(/\ball (\d+) endpoints/g)];
	expect(inChangelog.map(([, count]) => Number(count)).slice(-2)).toEqual(perNode);
});

const label = (cell: string | undefined): string => cell?.replaceAll('*', '') ?? '';

/** `Link > Create`, as the dropdowns have it, with the names of the operation. */
const offeredBy = (node: string) =>
	OPERATIONS.filter((operation) => operation.node === node).map(({ name, option }) => {
		const { resources } = OPERATION_NODES[node === 'store' ? 'store' : 'linkManagement'];
		const resource = resources.find(({ value }) => name.startsWith(`${value}.`));
		return { name, title: `${resource?.name} > ${option.name}` };
	});

test.each(Object.entries(OPERATION_NODES))(
	'docs/operations.md lists the operations of %s and their requests',
	(node, { node: { description } }) => {
		let resource = '';
		const listed = tableUnder('docs/operations.md', description.displayName).map((cells) => {
			const [first, operation, , requests] = cells;
			resource = label(first) || resource;
			return `${resource} > ${operation}: ${requests}`;
		});
		const offered = offeredBy(node).map(
			({ name, title }) =>
				`${title}: ${fixtureOf(node === 'store' ? node : 'linkManagement', name).cost}`,
		);
		expect(listed.sort()).toEqual(offered.sort());
	},
);

test('docs/operations.md names every filter', () => {
	const [, section = ''] = read('docs/operations.md').split('\n## Filters\n');
	const [text = ''] = section.split('\n## ');
	const filters = OPERATIONS.flatMap(({ fields }) =>
		fields.filter(({ name }) => name === 'filters').flatMap(({ options = [] }) => options),
	);
	const labels = filters.map((filter) =>
		'displayName' in filter ? filter.displayName : filter.name,
	);
	expect(labels).toContain('Search');
	const missing = labels.filter((each) => !text.includes(`_${each}_`));
	expect(missing.map((each) => `_${each}_ is not under "Filters"`)).toEqual([]);
});

test('the README names every operation', () => {
	const listed = tableUnder('README.md', 'Operations').flatMap(([first, operations = '']) =>
		label(first) === 'Store'
			? operations.split('; ')
			: operations.split(', ').map((operation) => `${label(first)} > ${operation}`),
	);
	const offered = Object.keys(OPERATION_NODES).flatMap((node) => offeredBy(node));
	expect(listed.sort()).toEqual(offered.map(({ title }) => title).sort());
});

test.each([new LinkManagementTrigger(), new StoreTrigger()])(
	'docs/triggers.md lists every event of the $description.displayName',
	({ description: { displayName, properties } }) => {
		let trigger = '';
		const listed = tableUnder('docs/triggers.md', 'Events and their requests').flatMap((cells) => {
			const [first, events = ''] = cells;
			trigger = label(first) || trigger;
			return trigger === displayName ? events.split(/, | and | with /) : [];
		});
		const offered = properties.filter(({ name }) => name === 'event').flatMap(choicesOf);
		expect(offered.map(({ name }) => name).filter((name) => !listed.includes(name))).toEqual([]);
	},
);

test.each(['README.md', 'examples/README.md'])('%s leads to every example', (file) => {
	for (const example of globSync('*.json', { cwd: 'examples' })) {
		expect([example, read(file).includes(`${example})`)]).toEqual([example, true]);
	}
});

describe('a link of a document', () => {
	const prose = (file: string): string => read(file).replaceAll(/^```.*?^```$/gms, '');

	/** Headings as GitHub and npm make anchors of them. */
	const anchorsOf = (file: string): string[] =>
		[...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
			heading
				.toLowerCase()
				.replaceAll(/[^\w\s-]/g, '')
				.replaceAll(' ', '-'),
		);

	test.each(DOCUMENTS)('in %s leads to a file and a heading', (file) => {
		for (const [, target = ''] of prose(file).matchAll(/\]\(([^)\s]+)\)/g)) {
			if (/^[a-z]+:/.test(target)) continue;
			const [path = '', anchor] = target.split('#');
			const leadsTo = path === '' ? file : join(dirname(file), path);
			expect([target, existsSync(leadsTo)]).toEqual([target, true]);
			if (anchor !== undefined) expect(anchorsOf(leadsTo)).toContain(anchor);
		}
	});
});

describe('docs/troubleshooting.md', () => {
	const COMMENT = /^\s*(?:\/\*[^]*?\*\/|\/\/.*)$/gm;
	const code = globSync('{nodes,credentials}/**/*.ts').map(read).join('\n').replaceAll(COMMENT, '');
	/** Said by n8n, by the service of the example, or put together of single words. */
	const OTHERS = ['No allowed domains', 'Custom Alias (custom)', '2 links are', '… (item 3 of 5'];
	const messages = tableUnder('docs/troubleshooting.md', 'Messages')
		.map(([message = '']) => message.replaceAll('`', ''))
		.filter((message) => !OTHERS.some((other) => message.startsWith(other)));

	test.each(messages)('has a message that the nodes give: %s', (message) => {
		const words = message.split(' ');
		const parts = words.slice(2).map((_, at) => words.slice(at, at + 3).join(' '));
		expect(parts.filter((part) => code.includes(part))).not.toEqual([]);
	});
});

test('docs/operations.md lists the columns that Map Automatically reads', () => {
	const [, listed = ''] =
		/these input columns:\s([^]*?)\. Case, /.exec(read('docs/operations.md')) ?? [];
	const columns = listed
		.replaceAll('`', '')
		.replace(/\s+/g, ' ')
		.replace(/ and (?=[^,]*$)/, ', ');
	expect(columns.toLowerCase()).toBe(COLUMN_NAMES.toLowerCase());
});

test('docs/operations.md lists the fields that Create or Update always writes', () => {
	const upsert = OPERATIONS.find(({ name }) => name === 'link.upsert');
	const ifExists = upsert?.fields.find(({ name }) => name === 'ifExists');
	const update = ifExists && choicesOf(ifExists).find(({ value }) => value === 'update');
	const [, hidden] = /always written: (.*)\.$/.exec(update?.description ?? '') ?? [];
	const [, listed = ''] = /always\s+written: ([^.]*)\./.exec(read('docs/operations.md')) ?? [];
	expect(listed.replaceAll('_', '').replaceAll(/\s+/g, ' ')).toBe(hidden);
});

test('the README lists the new records that events are about', () => {
	const [, listed = ''] = /Trigger\*\*: a new ([^;]*);/.exec(read('README.md')) ?? [];
	const kinds = Object.values(LIST_EVENTS).map(({ name }) =>
		name.replace(/ (Created|Added)$/, '').toLowerCase(),
	);
	expect(
		listed
			.toLowerCase()
			.split(/,\s+|\s+or\s+/)
			.sort(),
	).toEqual(kinds.sort());
});
