import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import type {
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { LinkManagementApi } from '../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../dist/credentials/StoreApi.credentials.js';
import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import type { Operation } from '../../dist/nodes/shared/operations/nodeProperties.js';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from '../contract/manifest.ts';
import type { OfferedOperation } from '../operations.ts';
import { choicesOf, OPERATION_NODES, OPERATIONS } from '../operations.ts';
import { namesMissing, presentNames, readSavedNames } from '../savedNames.ts';

/** Walks the descriptions as n8n reads them, and compares them with the documents and with the names that workflows keep. */

interface DocumentedEndpoint {
	query: readonly string[];
	body: readonly string[];
}

/** The endpoints of both documents, with the placeholders of their paths made alike: the code names them after its parameters. */
function documented(): Record<'linkManagement' | 'store', Record<string, DocumentedEndpoint>> {
	const link = Object.entries(LINK_ENDPOINTS).map(([name, { query = [], body = {} }]) => {
		const accepted = Object.keys(body).filter((field) => body[field] !== 'refused');
		return [withoutNames(name), { query, body: accepted }] as const;
	});
	const store = Object.entries(STORE_ENDPOINTS).map(([name, { parameters }]) => {
		const inBody = name.startsWith('POST');
		return [name, { query: inBody ? [] : parameters, body: inBody ? parameters : [] }] as const;
	});
	return { linkManagement: Object.fromEntries(link), store: Object.fromEntries(store) };
}

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const withoutNames = (path: string): string => path.replace(/:[A-Za-z]+/g, ':');

const requestOf = ({
	option,
}: Pick<OfferedOperation, 'option'>): { method: string; url: string } => ({
	method: option.routing?.request?.method ?? '',
	url: option.routing?.request?.url ?? '',
});

/** The request of an operation, comparable with those of its document. */
function sentBy(operation: OfferedOperation): string {
	const { method, url } = requestOf(operation);
	return `${method} ${withoutNames(url)}`;
}

const isPicker = (name: string): boolean => name === 'resource' || name === 'operation';

/** The operations that a compiled file exports. */
async function operationsIn(file: string): Promise<Operation[]> {
	const exported = (await import(resolve(file))) as Record<string, Operation | undefined>;
	return Object.values(exported).flatMap((value) => (value?.pagination ? [value] : []));
}

const sourceOf = (file: string): string => file.replace(/^dist\//, '').replace(/\.js$/, '.ts');

/** A field without what the node's builder decides: for which operations it is shown, and the order in a collection. */
function asListed({
	displayOptions,
	...field
}: INodeProperties): INodeProperties & { own: object } {
	const conditions = Object.entries(displayOptions?.show ?? {});
	const own = conditions.filter(([name]) => !isPicker(name.replace('/', '')));
	if (field.type !== 'collection') return { ...field, own };
	const options = (field.options ?? []).filter((option) => 'type' in option).map(asListed);
	return { ...field, own, options: alphabetical(options) };
}

const alphabetical = <T extends { displayName: string }>(fields: readonly T[]): T[] =>
	fields.toSorted((a, b) => a.displayName.localeCompare(b.displayName));

/** What an expression of a node's description comes to in the editor, with these parameters. */
function evaluated(
	type: INodeType,
	expression: string | undefined,
	parameters: INodeParameters,
	items = 0,
): unknown {
	const node: INode = {
		id: '1',
		name: 'Node',
		type: 'node',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const getType = () => type;
	const nodeTypes = { getByName: getType, getByNameAndVersion: getType, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const input = new Array<INodeExecutionData>(items).fill({ json: {} });
	const { expression: evaluator } = workflow;
	return evaluator.getParameterValue(expression ?? '', null, 0, 0, node.name, input, 'manual', {});
}

/** A field, and all fields inside it. */
function withNested(field: INodeProperties): INodeProperties[] {
	const inner = (field.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [field, ...inner.flatMap(withNested)];
}

const allFields = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.flatMap(withNested);

/** n8n's own collections have no description either: their label says it. */
const NEEDS_NO_DESCRIPTION = ['additionalFields', 'updateFields', 'filters', 'options'];

const isUnique = (values: unknown[]): boolean => new Set(values).size === values.length;

/** What holds for every field of a node, on whatever operation it is shown. */
const FIELD_RULES: Record<string, (field: INodeProperties) => boolean> = {
	'is labelled': ({ displayName }) => /^[A-Z]/.test(displayName),
	'is described': ({ name, type, description = '' }) =>
		isPicker(name) ||
		type === 'notice' ||
		NEEDS_NO_DESCRIPTION.includes(name) ||
		/^[A-Z].{8,}/.test(description),
	'has a placeholder that starts with e.g., if it is a text and no secret': ({
		type,
		typeOptions,
		placeholder = '',
	}) => type !== 'string' || typeOptions?.password === true || /^e\.g\. \S/.test(placeholder),
	'hides what is typed, if it is a password': ({ name, type, typeOptions }) =>
		type !== 'string' || !/password/i.test(name) || typeOptions?.password === true,
	'preselects one of its options': (field) =>
		field.type !== 'options' || choicesOf(field).some(({ value }) => value === field.default),
	'has no two options of one value': (field) =>
		isUnique(choicesOf(field).map(({ value }) => value)),
	'has no two options of one name': (field) => isUnique(choicesOf(field).map(({ name }) => name)),
	'can be picked from a searchable list, then be entered, if it is a locator': ({
		type,
		modes = [],
	}) =>
		type !== 'resourceLocator' ||
		(/^list (?:name|(?:name |url )?id)$/.test(modes.map(({ name }) => name).join(' ')) &&
			modes[0]?.typeOptions?.searchable === true),
};

describe.each(['linkManagement', 'store'] as const)('the node %s', (node) => {
	const operations = OPERATIONS.filter((operation) => operation.node === node);
	const { folder, node: instance, resources } = OPERATION_NODES[node];
	const { description } = instance;

	test('has an operation for every endpoint of its document, and sends to no other', () => {
		const endpoints = Object.keys(documented()[node]);
		const requests = operations.map((operation) => ({ ...operation, request: sentBy(operation) }));
		const undocumented = requests.filter(({ request }) => !endpoints.includes(request));
		const told = 'which test/contract/manifest.ts does not have';
		expect(undocumented.map(({ name, request }) => `${name} sends ${request}, ${told}`)).toEqual(
			[],
		);
		const sent = new Set(requests.map(({ request }) => request));
		expect([...sent].toSorted()).toEqual(endpoints.toSorted());
	});

	test('offers every operation that has a file', async () => {
		const files = globSync(`dist/nodes/${folder}/resources/*/*.js`).filter(
			(file) => basename(file) !== 'index.js',
		);
		const placeOf = (operation: Operation) => {
			const resource = resources.find(({ operations: all }) => all.includes(operation))?.value;
			return `dist/nodes/${folder}/resources/${resource ?? ''}/${operation.value}.js`;
		};
		let found = 0;
		for (const file of files) {
			for (const operation of await operationsIn(file)) {
				const told = `${sourceOf(file)} is not in the index.ts beside it`;
				expect({ [told]: placeOf(operation) }).toEqual({ [told]: file });
				found += 1;
			}
		}
		expect(found).toBe(operations.length);
	});

	test('offers its resources and their operations in alphabetical order', () => {
		const dropdowns = description.properties.filter(({ name }) => isPicker(name));
		const labels = dropdowns.map((dropdown) => choicesOf(dropdown).map(({ name }) => name));
		expect(labels).toEqual(labels.map((names) => names.toSorted((a, b) => a.localeCompare(b))));
		expect(labels.flat()).toHaveLength(resources.length + operations.length);
	});

	test('says under the node what it does, in the words of its dropdowns', () => {
		for (const { option, name } of operations) {
			const [resource = '', operation = ''] = name.split('.');
			const label = resources.find(({ value }) => value === resource)?.name ?? '';
			expect(evaluated(instance, description.subtitle, { resource, operation })).toBe(
				`${option.name}: ${label}`,
			);
		}
	});

	test('says of every operation what it does, in words of its own', () => {
		const actions = operations.map(({ option }) => option.action);
		expect(actions).toEqual([...new Set(actions)]);
		for (const { option } of operations) {
			expect(option.action).toMatch(/^[A-Z][a-zA-Z ]+$/);
			expect(option.description).toMatch(/^[A-Z].{15,}[^.]$/);
		}
	});

	test.each(operations)(
		'shows for $name the fields that its file lists, in that order',
		({ fields, listed }) => {
			expect(fields.map(asListed)).toEqual(listed.map(asListed));
		},
	);

	test('has a search for every list that a field offers, and a field for every search', () => {
		const wanted = allFields(description.properties)
			.flatMap(({ modes = [] }) => modes)
			.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
		const offered = (instance as INodeType).methods?.listSearch ?? {};
		expect([...new Set(wanted)].sort()).toEqual(Object.keys(offered).sort());
		for (const search of Object.values(offered)) expect(typeof search).toBe('function');
	});

	test.each(Object.entries(FIELD_RULES))('every field %s', (_rule, holds) => {
		const fields = allFields(description.properties).filter(({ type }) => type !== 'hidden');
		expect(fields.length).toBeGreaterThan(5);
		expect(fields.filter((field) => !holds(field)).map(({ name }) => name)).toEqual([]);
	});

	test('is a tool for agents, with one input and one output', () => {
		expect(description).toMatchObject({ usableAsTool: true, inputs: ['main'], outputs: ['main'] });
	});
});

/** Members of bodies that no single field sends: the code composes them of these fields. */
const COMPOSED: Record<string, string[]> = {
	type: ['qrType'],
	data: ['dataMode', 'dataJson'],
};

/** Members that no request has: tags go into the long URL, and extra fields are members of their own. */
const WRITTEN_ELSEWHERE = ['utm', 'extraFields'];

describe.each(OPERATIONS)('in the node $node the operation $name', ({ node, option, fields }) => {
	const { method, url } = requestOf({ option });
	const endpoint = documented()[node][`${method} ${withoutNames(url)}`];
	const sends = allFields(fields).flatMap(({ routing }) => routing?.send ?? []);
	const sent = (type: 'body' | 'query'): string[] =>
		sends
			.filter((send) => send.type === type)
			.map(({ property = '' }) => property)
			.filter((property) => !WRITTEN_ELSEWHERE.includes(property));

	test('has a required parameter for every placeholder in its path', () => {
		const placeholders = [...url.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]);
		for (const placeholder of placeholders) {
			const field = fields.find((candidate) => candidate.name === placeholder);
			expect(['resourceLocator', 'options']).toContain(field?.type);
			if (field?.type === 'resourceLocator') expect(field.required).toBe(true);
		}
	});

	test('sends every documented name and no other', () => {
		const composed = (endpoint?.body ?? []).filter((field) =>
			COMPOSED[field]?.every((part) =>
				allFields(fields).some((candidate) => candidate.name === part),
			),
		);
		expect([...new Set([...sent('body'), ...composed])].sort()).toEqual(
			[...(endpoint?.body ?? [])].sort(),
		);
		// The page walker sends these two.
		const query = (endpoint?.query ?? []).filter((field) => field !== 'limit' && field !== 'page');
		expect(sent('query').sort()).toEqual(query.sort());
		expect(sends.every(({ type }) => type === 'body' || type === 'query')).toBe(true);
	});

	test('is sent by the node itself, not by the routing of n8n', () => {
		expect(typeof option.routing?.operations?.pagination).toBe('function');
		const [resource] = OPERATION_NODES[node].node.description.properties;
		expect(resource?.routing?.send?.paginate).toBe(true);
	});

	test('is static: method and path hold no expression', () => {
		expect(url).toMatch(/^\/api\/[A-Za-z:/]+$/);
		expect(method).toMatch(/^(GET|POST|PUT|DELETE)$/);
	});
});

describe('saved workflows', () => {
	test('find every operation, parameter and value that they may name', () => {
		expect(namesMissing(readSavedNames(), presentNames())).toEqual([]);
	});

	test('can rely on those that are new, too', () => {
		const unsaved = namesMissing(presentNames(), readSavedNames());
		expect(
			unsaved.map((name) => `${name} is not in test/savedNames.json: npm run schemas adds it`),
		).toEqual([]);
	});
});

const TRIGGERS = [new LinkManagementTrigger(), new StoreTrigger()];

/** What a panel opens with, and that with each other value of each dropdown. */
function choicesIn(fields: readonly INodeProperties[], given: INodeParameters): INodeParameters[] {
	const opened = Object.fromEntries(fields.map((field) => [field.name, field.default]));
	const panel = { ...(opened as INodeParameters), ...given };
	const dropdowns = fields.filter(({ type }) => type === 'options');
	const others = dropdowns.flatMap((field) =>
		choicesOf(field).map(({ value }) => ({ ...panel, [field.name]: value })),
	);
	return [panel, ...others];
}

test.each([
	...OPERATIONS.map(({ node, name, fields }) => {
		const [resource = '', operation = ''] = name.split('.');
		const choices = choicesIn(fields, { resource, operation });
		return { name, description: OPERATION_NODES[node].node.description, choices };
	}),
	...TRIGGERS.map(({ description }) => {
		const choices = choicesIn(description.properties, {});
		return { name: description.name, description, choices };
	}),
])('$name shows no box without anything to add', ({ description, choices }) => {
	for (const given of choices) {
		const shown = (fields: readonly INodeProperties[]) =>
			fields.filter((field) =>
				NodeHelpers.displayParameter(given, field, null, description, given),
			);
		const boxes = shown(description.properties).filter(({ type }) => type === 'collection');
		const empty = boxes.filter((box) => shown(withNested(box).slice(1)).length === 0);
		expect([given, empty.map(({ name }) => name)]).toEqual([given, []]);
	}
});

describe('the triggers', () => {
	test.each(TRIGGERS)('say under the node what they wait for: %#', (trigger) => {
		const { properties, subtitle } = trigger.description;
		const events = properties.filter(({ name }) => name === 'event').flatMap(choicesOf);
		expect(events.length).toBeGreaterThan(1);
		for (const { name, value } of events) {
			expect(evaluated(trigger, subtitle, { event: value })).toBe(name);
		}
	});
});

describe('the hints of Link Management', () => {
	const { node } = OPERATION_NODES.linkManagement;
	const hintsWith = (parameters: INodeParameters, items = 0): string[] =>
		(node.description.hints ?? [])
			.filter(
				({ displayCondition }) => evaluated(node, displayCondition, parameters, items) === true,
			)
			.map(({ message }) => message);
	const update = { resource: 'link', operation: 'update' };

	const assigned = { resource: 'link', operation: 'create', additionalFields: { campaignId: 1 } };

	test.each([
		[14, {}, undefined],
		[15, {}, 'up to a minute'],
		[30, {}, 'up to a minute'],
		[31, {}, 'up to 2 minutes'],
		[31, update, 'up to 3 minutes'],
		[31, { ...update, updateFields: { url: 'x' } }, 'up to 2 minutes'],
		[31, assigned, 'up to 3 minutes'],
		[31, { additionalFields: { createQrCode: true } }, 'up to 3 minutes'],
		[500, {}, 'up to 20 minutes'],
		[1800, {}, 'up to an hour'],
		[1801, {}, 'up to 2 hours'],
		[43_201, {}, 'more than a day'],
	])('say how long %i items take with %j: %s', (items, parameters, words) => {
		const said = hintsWith({ resource: 'link', operation: 'create', ...parameters }, items);
		const duration = `The input items take ${words} at 30 requests per minute`;
		expect(said.filter((hint) => hint.startsWith('The input'))).toEqual(words ? [duration] : []);
	});

	test('say how updates of several links get quicker', () => {
		for (const parameters of [update, { ...update, updateFields: { metaTitle: 'Sale' } }]) {
			expect(hintsWith(parameters, 2)).toEqual([expect.stringContaining('Add the field URL')]);
			expect(hintsWith(parameters, 1)).toEqual([]);
		}
		expect(hintsWith({ ...update, updateFields: { url: 'https://example.com' } }, 2)).toEqual([]);
		expect(hintsWith({ ...update, resource: 'channel' }, 2)).toEqual([]);
	});

	test.each(['/home/ann/logo.png', 'C:\\logo.png', '~/logo.png', 'file:///logo.png'])(
		'say of the logo %s that it is a path of the service',
		(logo) => {
			const create = { resource: 'qrCode', operation: 'create' };
			const changes = { resource: 'qrCode', operation: 'update', updateFields: { logo } };
			for (const parameters of [changes, { ...create, additionalFields: { logo } }]) {
				expect(hintsWith(parameters)).toEqual([
					expect.stringContaining('on the machine of the service'),
				]);
			}
			const address = { logo: 'https://example.com/logo.png' };
			expect(hintsWith({ ...create, additionalFields: address })).toEqual([]);
		},
	);

	test('say of a location that it is no country', () => {
		const target = (...names: string[]) => ({
			target: names.map((value) => ({ location: { __rl: true, mode: 'name', value } })),
		});
		for (const geoTargets of [target('France', 'Deutschland'), target('DE')]) {
			expect(hintsWith({ additionalFields: { geoTargets } })).toEqual([
				expect.stringContaining('English country names'),
			]);
		}
		expect(hintsWith({ additionalFields: { geoTargets: target('germany', '') } })).toEqual([]);
	});

	test('say which contents of QR codes the document leaves open', () => {
		const code = { resource: 'qrCode', operation: 'create', dataMode: 'fields' };
		expect(hintsWith({ ...code, qrType: 'wifi' })).toEqual([expect.stringContaining('using JSON')]);
		expect(hintsWith({ ...code, qrType: 'link' })).toEqual([]);
	});
});

const CREDENTIALS: ICredentialType[] = [new LinkManagementApi(), new StoreApi()];
const EXTRA_HEADER = ['extraHeaderName', 'extraHeaderValue'];

describe('the credentials', () => {
	test('have the fields that saved credentials hold', () => {
		const names = CREDENTIALS.map(
			({ name, properties }) => [name, properties.map((field) => field.name)] as const,
		);
		expect(Object.fromEntries(names)).toEqual({
			linkManagementApi: ['baseUrl', 'apiKey', 'requestsPerMinute', 'timezone', ...EXTRA_HEADER],
			storeApi: [
				...['baseUrl', 'apiKey', 'apiKeyLocation', 'apiKeyHeader', 'invalidCodeMessage'],
				'requestsPerMinute',
				...EXTRA_HEADER,
			],
		});
	});

	test('keep the documented limit unless the user sets another one', () => {
		const limits = CREDENTIALS.map(
			({ properties }) => properties.find(({ name }) => name === 'requestsPerMinute')?.default,
		);
		expect(limits).toEqual([30, 0]);
	});

	test('hide what is typed into every secret field, and nothing else', () => {
		for (const { properties } of CREDENTIALS) {
			const hidden = properties.filter(({ typeOptions }) => typeOptions?.password === true);
			expect(hidden.map(({ name }) => name)).toEqual(['apiKey', 'extraHeaderValue']);
		}
	});

	test('label and describe every field', () => {
		for (const { displayName, description } of CREDENTIALS.flatMap((each) => each.properties)) {
			expect([displayName, description]).toEqual([like(/^[A-Z]/), like(/^[A-Z].{15,}/)]);
		}
	});

	test('belong to a node that tests them', () => {
		const tested = Object.values(OPERATION_NODES).map(({ node }) => {
			const [credential] = node.description.credentials ?? [];
			const testedBy = credential?.testedBy;
			const tests: Record<string, unknown> = node.methods.credentialTest;
			expect(typeof testedBy === 'string' && typeof tests[testedBy]).toBe('function');
			return credential?.name;
		});
		expect(tested).toEqual(CREDENTIALS.map(({ name }) => name));
	});
});

describe('the package', () => {
	const record = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as IDataObject;
	const { n8n } = record('package.json') as { n8n: { nodes: string[]; credentials: string[] } };

	test('names every node that is built, and builds every node that it names', () => {
		expect([...n8n.nodes].sort()).toEqual(globSync('dist/nodes/**/*.node.js').sort());
	});

	test('names every credential that is built, and builds every credential that it names', () => {
		expect([...n8n.credentials].sort()).toEqual(
			globSync('dist/credentials/*.credentials.js').sort(),
		);
	});

	test('holds the codex of every node, and the icons of nodes and credentials', () => {
		const nodes = [...Object.values(OPERATION_NODES).map(({ node }) => node), ...TRIGGERS];
		const codices = n8n.nodes.map((file) => record(file.replace(/\.js$/, '.json')).node);
		const names = nodes.map(({ description }) => `n8n-nodes-linkstore.${description.name}`);
		expect(codices.sort()).toEqual(names.sort());
		for (const { icon } of [...nodes.map(({ description }) => description), ...CREDENTIALS]) {
			const { light, dark } = icon as { light: string; dark: string };
			for (const path of [light, dark]) {
				const file = path.replace(/^file:(\.\.\/)*/, 'dist/');
				expect([file, existsSync(file)]).toEqual([file, true]);
			}
		}
	});

	test('leads from every node to the part of the README that is about it', () => {
		const headings = [...readFileSync('README.md', 'utf8').matchAll(/^#+ (.+)$/gm)].map(
			([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'),
		);
		for (const file of n8n.nodes) {
			const codex = readFileSync(file.replace(/\.js$/, '.json'), 'utf8');
			const anchors = [...codex.matchAll(/#([^"]*)"/g)].map(([, anchor]) => anchor);
			expect(anchors).toHaveLength(2);
			for (const anchor of anchors) expect(headings).toContain(anchor);
		}
	});
});
