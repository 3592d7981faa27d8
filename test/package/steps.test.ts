import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from '../contract/manifest.ts';
import { type Fields, fixtureFile, fixtureOf, FIXTURES } from '../fixtures.ts';
import { choicesOf, OPERATION_NODES, OPERATIONS, placesIn } from '../operations.ts';

/** What whoever adds an operation, an endpoint, a field or an event has left to do, a line each; CONTRIBUTING.md has the command. */

const [README = '', CHANGELOG = '', TRIGGERS = ''] = ['README', 'CHANGELOG', 'docs/triggers'].map(
	(name) => readFileSync(`${name}.md`, 'utf8'),
);
const ENGINE_TESTS = globSync('test/engine/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
const EVENTS = [new LinkManagementTrigger(), new StoreTrigger()].flatMap(({ description }) =>
	description.properties.filter(({ name }) => name === 'event').flatMap(choicesOf),
);

const fileOf = ({ node, name }: (typeof OPERATIONS)[number]): string =>
	fixtureFile(OPERATION_NODES[node].folder, name);

/** What the README has of a resource, such as `Create, Delete` of `Domain, Pixel`. */
function listedOf({ node, name }: (typeof OPERATIONS)[number]): string {
	const { properties } = OPERATION_NODES[node].node.description;
	const resources = properties.find((field) => field.name === 'resource');
	const title = resources && choicesOf(resources).find(({ value }) => name.startsWith(`${value}.`));
	const lines = /^## Operations\n(.*?)^## /ms.exec(README)?.[1]?.split('\n') ?? [];
	const parts = lines.flatMap((line) => line.replaceAll(/<!--.*|\*/g, '').split(/; |Store: /));
	const part = parts.find((each) =>
		RegExp(`^(- )?([^:>]+, )?${title?.name}(, [^:>]+)?(:| >)`).test(each),
	);
	return part ?? '';
}

const COLUMNS_FILE = 'nodes/LinkManagement/resources/link/columns.ts';
const COLUMNS = readFileSync(COLUMNS_FILE, 'utf8');
/** Members of a link that no cell can hold, or that sheets never have. */
const WITHOUT_COLUMN = ['type', 'geotarget', 'devicetarget', 'languagetarget', 'parameters'];

const LINK_BODY = Object.keys(LINK_ENDPOINTS['POST /api/url/add']?.body ?? {});
const COLUMN_NAMES = [...COLUMNS.matchAll(/^\t\w+: \[.*?\],$/gms)]
	.flatMap(([block]) => [...block.matchAll(/'(.*?)'/g)])
	.map(([, name = '']) => name);
const README_COLUMNS = /^### Columns\n(.*?)^### /ms.exec(README)?.[1] ?? '';

/** The fewest and the most requests that the README says of an operation: `(2)`, `(0 to 3)`, `(1 per 100)`, nothing for one. */
function toldRequests(operation: (typeof OPERATIONS)[number]): [number, number] {
	const name = `\\b${operation.option.name}(?:\\]\\([^)]*\\))?`;
	const told = RegExp(`${name} \\((\\d)(?: to (\\d))?(?! more)`).exec(listedOf(operation));
	const [, least = '1', most = least] = told ?? [];
	return [Number(least), Number(most)];
}

/** Those of the fixture, and that of a picture. */
function sentRequests({ node, name }: (typeof OPERATIONS)[number]): number {
	const { requests, binary } = fixtureOf(node, name);
	return requests.length + (binary === undefined ? 0 : 1);
}

/** `agent.test.ts`, `filters.test.ts` and `paging.test.ts` test the others; a notice is no field. */
const needsCase = ({ name, type, displayOptions }: INodeProperties): boolean =>
	!['returnAll', 'limit', 'search'].includes(name) &&
	type !== 'notice' &&
	displayOptions?.show?.['@tool'] === undefined;

const isSet = (parameters: Fields, path: string): boolean => {
	const [name = '', option] = path.split('.');
	return option === undefined ? name in parameters : option in Object(parameters[name] ?? {});
};

/** By what is forgotten: what is left to do. */
const STEPS: Record<string, () => string[]> = {
	'the fixture': () =>
		OPERATIONS.map(fileOf)
			.filter((file) => !existsSync(file))
			.map((file) => `${file} is missing: copy that of a similar operation`),
	'the line of the README': () =>
		OPERATIONS.filter((operation) => !listedOf(operation).includes(operation.option.name)).map(
			({ name, option }) => `README.md does not list ${option.name} of ${name}`,
		),
	'the number of endpoints': () =>
		[LINK_ENDPOINTS, STORE_ENDPOINTS]
			.map((endpoints) => `all ${Object.keys(endpoints).length}`)
			.flatMap((told) => [
				...(README.toLowerCase().includes(told) ? [] : [`README.md does not say ${told}`]),
				...(CHANGELOG.includes(`${told} endpoints`) ? [] : [`CHANGELOG.md does not say ${told}`]),
			]),
	'the number of events': () =>
		[`${EVENTS.length} events`]
			.filter((told) => !CHANGELOG.includes(told))
			.map((told) => `CHANGELOG.md does not say ${told}`),
	'the line of an event': () =>
		EVENTS.filter(({ name }) => !/Created$|Added$/.test(name) && !TRIGGERS.includes(name)).map(
			({ name }) => `docs/triggers.md does not name the event ${name}`,
		),
	'the test of an event': () =>
		EVENTS.filter(({ value }) => !ENGINE_TESTS.some((test) => test.includes(`'${value}'`))).map(
			({ value }) => `no test of test/engine has the event ${value}: see listEvents.test.ts`,
		),
	'the case of a field': () => {
		const places = OPERATIONS.flatMap((operation) => {
			const runs = FIXTURES.filter(({ file }) => file === fileOf(operation)).flatMap((each) => [
				each,
				...each.cases,
			]);
			return placesIn(operation.listed)
				.filter(({ field }) => needsCase(field))
				.map(({ path, field }) => {
					const isCovered = runs.some(({ parameters }) => isSet(parameters, path));
					return { title: `${fileOf(operation)} has no case with ${path}`, field, isCovered };
				});
		});
		const covered = new Set(places.filter((place) => place.isCovered).map(({ field }) => field));
		return places.filter(({ field }) => !covered.has(field)).map(({ title }) => title);
	},
	'the resource': () =>
		globSync('nodes/*/resources/*')
			.map((path) => parse(path))
			.filter(({ dir, name }) => {
				const index = readFileSync(`${dir}/index.ts`, 'utf8');
				return name !== 'index' && !index.includes(`'./${name}'`);
			})
			.map(({ dir, name }) => `${dir}/index.ts does not have ${name}`),
	'the number of requests': () =>
		OPERATIONS.filter((operation) => {
			const [least, most] = toldRequests(operation);
			const sent = sentRequests(operation);
			return sent < least || sent > most;
		}).map((operation) => {
			const told = toldRequests(operation).join(' to ');
			return `README.md: ${operation.name} takes ${told}, sent are ${sentRequests(operation)}`;
		}),
	'the column': () => [
		...LINK_BODY.filter((name) => !WITHOUT_COLUMN.includes(name))
			.filter((name) => !RegExp(`^\\t${name}: \\[`, 'm').test(COLUMNS))
			.map((name) => `${name} has no column in ${COLUMNS_FILE}`),
		...COLUMN_NAMES.filter((name) => !README_COLUMNS.includes(name)).map(
			(name) => `README.md does not name the column ${name}`,
		),
	],
};

test.each(Object.entries(STEPS))('nobody forgot %s', (_step, left) => {
	expect(left()).toEqual([]);
});
