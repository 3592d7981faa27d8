import { existsSync, readFileSync } from 'node:fs';

import { LINK_ENDPOINTS, STORE_ENDPOINTS } from '../contract/manifest.ts';
import { fixtureFile, fixtureOf } from '../fixtures.ts';
import { choicesOf, OPERATION_NODES, OPERATIONS } from '../operations.ts';

/** `npx jest test/package/steps`: what whoever adds an operation, an endpoint, a field or an event has left to do, a line each. */

const README = readFileSync('README.md', 'utf8');

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
const COLUMN_NAMES = [...COLUMNS.matchAll(/'(\p{Lu}[\p{L} -]+)'/gu)].map(([, name = '']) => name);
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
			.filter((told) => !README.toLowerCase().includes(told))
			.map((told) => `README.md does not say ${told}`),
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
