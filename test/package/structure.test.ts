import { globSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

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
import {
	KNOWN_COLUMNS,
	RESULT_COLUMNS,
} from '../../dist/nodes/LinkManagement/resources/link/columns.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from '../contract/manifest.ts';
import { record, text } from '../n8n-host/json.ts';
import { choicesOf, OPERATION_NODES, OPERATIONS } from '../operations.ts';
import { namesMissing, presentNames, readSavedNames } from '../savedNames.ts';

/** Walks the descriptions as n8n reads them, and compares them with the documents and with the names that workflows keep. */

const TRIGGERS = [new LinkManagementTrigger(), new StoreTrigger()];
const NODES: INodeType[] = [...Object.values(OPERATION_NODES).map(({ node }) => node), ...TRIGGERS];
const CREDENTIALS: ICredentialType[] = [new LinkManagementApi(), new StoreApi()];

/** A field, and all fields inside it. */
function withNested(field: INodeProperties): INodeProperties[] {
	const inner = (field.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [field, ...inner.flatMap(withNested)];
}

/** What an expression of a node's description comes to in the editor, with these parameters. */
function evaluated(
	type: INodeType,
	expression: string | undefined,
	parameters: INodeParameters,
	items: number | IDataObject = 0,
): unknown {
	const fixed: Omit<INode, 'parameters'> = {
		id: '1',
		name: 'Node',
		type: 'node',
		typeVersion: 1,
		position: [0, 0],
	};
	const getType = () => type;
	const nodeTypes = { getByName: getType, getByNameAndVersion: getType, getKnownTypes: () => ({}) };
	const nodes = [{ ...fixed, parameters }];
	const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
	const rows = typeof items === 'number' ? new Array<IDataObject>(items).fill({}) : [items];
	const input: INodeExecutionData[] = rows.map((json) => ({ json }));
	const { expression: evaluator } = workflow;
	return evaluator.getParameterValue(expression ?? '', null, 0, 0, fixed.name, input, 'manual', {});
}

/** The code names placeholders after its parameters. */
const withoutNames = (path: string): string => path.replace(/:[A-Za-z]+/g, ':');

/** What each endpoint takes: `body.name`, or `query.name`. */
const DOCUMENTED: Record<string, string[]> = Object.fromEntries([
	...Object.entries(LINK_ENDPOINTS).map(([endpoint, { query = [], body = {} }]) => {
		const accepted = Object.keys(body).filter((name) => body[name] !== 'refused');
		// The page walker sends these two.
		const asked = query.filter((name) => name !== 'limit' && name !== 'page');
		const taken = [
			...accepted.map((name) => `body.${name}`),
			...asked.map((name) => `query.${name}`),
		];
		return [withoutNames(endpoint), taken] as const;
	}),
	...Object.entries(STORE_ENDPOINTS).map(([endpoint, { parameters }]) => {
		const place = endpoint.startsWith('POST') ? 'body' : 'query';
		return [endpoint, parameters.map((name) => `${place}.${name}`)] as const;
	}),
]);

/** Members that the code composes of several fields. */
const COMPOSED: Record<string, string[]> = {
	'body.type': ['qrType'],
	'body.data': ['dataMode', 'dataJson'],
	'body.purchase_code': ['purchaseCode'],
};

/** Members that no request has: tags go into the long URL, and extra members are members of their own. */
const WRITTEN_ELSEWHERE = ['body.utm', 'body.extraFields', 'query.extraQuery'];

const sourceOf = (file: string): string => file.replace(/^dist\W(.*)\.js$/, '$1.ts');

describe('the operations', () => {
	test('are all that have a file', async () => {
		const files = globSync('dist/nodes/*/resources/*/*.js', { exclude: ['**/index.js'] });
		const made: string[] = [];
		for (const file of files) {
			const exported = Object.values((await import(resolve(file))) as Record<string, object>);
			if (exported.some((value) => Object.hasOwn(value, 'pagination'))) made.push(file);
		}
		const offered = OPERATIONS.map(({ node, name }) =>
			join('dist/nodes', OPERATION_NODES[node].folder, 'resources', `${name.replace('.', sep)}.js`),
		);
		const hidden = made.filter((file) => !offered.includes(file));
		expect(
			hidden.map(
				(file) =>
					`${sourceOf(file)} is not in the node: export it in the index.ts beside it, and list a new resource in resources/index.ts`,
			),
		).toEqual([]);
		expect(made.sort()).toEqual(offered.sort());
	});

	test('have different actions, and a description', () => {
		for (const node of Object.keys(OPERATION_NODES)) {
			const own = OPERATIONS.filter((operation) => operation.node === node);
			expect(own.filter(({ option }) => !option.description)).toEqual([]);
			const actions = own.map(({ option }) => option.action);
			expect(actions).toEqual([...new Set(actions)]);
		}
	});

	test('send a request to each endpoint', () => {
		const requests = OPERATIONS.map(({ option }) => option.routing?.request);
		const sent = requests.map((request) => withoutNames(`${request?.method} ${request?.url}`));
		const documented = Object.keys(DOCUMENTED);
		const unsent = documented.filter((endpoint) => !sent.includes(endpoint));
		expect(unsent.map((endpoint) => `${endpoint} has no operation`)).toEqual([]);
		const unknown = sent.filter((endpoint) => !documented.includes(endpoint));
		expect(unknown.map((endpoint) => `${endpoint} is not in manifest.ts`)).toEqual([]);
	});
});

/** A field without what the node's builder decides: for which operations it is shown, and the order in a collection. */
function asListed({ displayOptions, ...field }: INodeProperties): object {
	const { show = {} } = displayOptions ?? {};
	const own = Object.entries(show).filter(([name]) => !/^\/?(resource|operation)$/.test(name));
	if (field.type !== 'collection') return { ...field, own };
	const options = (field.options ?? []).filter((option) => 'type' in option);
	const byName = options.toSorted((a, b) => a.displayName.localeCompare(b.displayName));
	return { ...field, own, options: byName.map(asListed) };
}

describe.each(OPERATIONS)('in the node $node the operation $name', ({ option, fields, listed }) => {
	const { method, url = '' } = option.routing?.request ?? {};
	const all = fields.flatMap(withNested);

	const routed = all
		.flatMap(({ routing }) => routing?.send ?? [])
		.map(({ type, property }) => `${type}.${property}`);

	test('sends every name of test/contract/manifest.ts and no other', () => {
		const documented = DOCUMENTED[withoutNames(`${method} ${url}`)] ?? [];
		const composed = documented.filter((name) =>
			COMPOSED[name]?.every((part) => all.some((field) => field.name === part)),
		);
		const sent = routed.filter((name) => !WRITTEN_ELSEWHERE.includes(name));
		expect([...new Set([...sent, ...composed])].sort()).toEqual(documented.toSorted());
	});

	test('shows the fields that its file lists, in that order', () => {
		expect(fields.map(asListed)).toEqual(listed.map(asListed));
	});
});

/** n8n's own dropdowns and collections have no description either: their label says it. */
const NEEDS_NO_DESCRIPTION =
	/^(resource|operation|event|additionalFields|updateFields|filters|options)$/;
const MODES = /^list (?:name|(?:name |alias )?id)$/;

/** What holds for every field, and n8n's lint rules do not check. */
const FIELD_RULES: Record<string, (field: INodeProperties) => boolean> = {
	'is described': ({ name, type, description = '' }) =>
		type === 'notice' || NEEDS_NO_DESCRIPTION.test(name) || /^[A-Z].{8,}/.test(description),
	'has a placeholder that starts with e.g., if it is a text without a default': ({
		type,
		typeOptions,
		placeholder = '',
		...field
	}) =>
		type !== 'string' ||
		field.default !== '' ||
		typeOptions?.password === true ||
		/^e\.g\. \S/.test(placeholder),
	'hides what is typed, if it is a secret': ({ name, type, typeOptions }) =>
		(type === 'string' && /password|^apiKey$|HeaderValue$|^knownValidCode$/i.test(name)) ===
		(typeOptions?.password === true),
	'can be picked from a searchable list, then be entered, if it is a locator': ({
		type,
		modes = [],
	}) =>
		type !== 'resourceLocator' ||
		(MODES.test(modes.map(({ name }) => name).join(' ')) &&
			modes[0]?.typeOptions?.searchable === true),
};

test.each(Object.entries(FIELD_RULES))('every field %s', (_rule, holds) => {
	const properties = [...NODES.map(({ description }) => description), ...CREDENTIALS].flatMap(
		(each) => each.properties,
	);
	const fields = properties.flatMap(withNested).filter(({ type }) => type !== 'hidden');
	expect(fields.filter((field) => !holds(field)).map(({ name }) => name)).toEqual([]);
});

test('a switch that is added to a collection arrives switched on', () => {
	const properties = [...NODES, ...TRIGGERS].flatMap(({ description }) => description.properties);
	const collections = properties.flatMap(withNested).filter(({ type }) => type === 'collection');
	const added = collections.flatMap(({ options = [] }) => options as INodeProperties[]);
	const off = added.filter((field) => field.type === 'boolean' && field.default !== true);
	expect(off.map(({ name }) => name)).toEqual([]);
});

test.each(NODES)(
	'every list of $description.name has a search, and every search a list',
	(node) => {
		const { description, methods } = node;
		const wanted = description.properties
			.flatMap(withNested)
			.flatMap(({ modes = [] }) => modes)
			.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
		expect([...new Set(wanted)].sort()).toEqual(Object.keys(methods?.listSearch ?? {}).sort());
	},
);

describe('saved workflows', () => {
	test('find every operation, parameter and value that they may name', () => {
		const gone = namesMissing(readSavedNames(), presentNames());
		expect(gone.map((name) => `${name} is in test/savedNames.json, but not in the node`)).toEqual(
			[],
		);
	});

	test('can rely on those that are new, too', () => {
		const unsaved = namesMissing(presentNames(), readSavedNames());
		expect(
			unsaved.map((name) => `${name} is not in test/savedNames.json: npm run schemas adds it`),
		).toEqual([]);
	});
});

/** What the panel of each operation and event opens with. */
const PANELS = [
	...OPERATIONS.map(({ node, name, fields }) => {
		const { node: type } = OPERATION_NODES[node];
		const [resource = '', operation = ''] = name.split('.');
		return { name, type: type as INodeType, fields, given: { resource, operation } };
	}),
	...TRIGGERS.flatMap((type) => {
		const { properties: fields } = type.description;
		const events = fields.filter(({ name }) => name === 'event').flatMap(choicesOf);
		return events.map(({ name, value }) => {
			return { name, type, fields, given: { event: value } };
		});
	}),
];

describe.each(PANELS)('the panel of $name', ({ type, fields, given }) => {
	test('shows each field once, and asks for no field of a value that an expression may not give', () => {
		const opened = Object.fromEntries(fields.map((field) => [field.name, field.default]));
		const panel = { ...(opened as INodeParameters), ...given };
		const shownWith = (chosen: INodeParameters) =>
			type.description.properties.filter((field) =>
				NodeHelpers.displayParameter(chosen, field, null, type.description, chosen),
			);
		for (const field of fields.filter((each) => each.type === 'options')) {
			const values = choicesOf(field).map(({ value }) =>
				shownWith({ ...panel, [field.name]: value }),
			);
			const expression = field.noDataExpression
				? []
				: [shownWith({ ...panel, [field.name]: '={{ 1 }}' })];
			for (const shown of [...values, ...expression]) {
				const names = shown.map(({ name }) => name);
				expect(names).toEqual([...new Set(names)]);
			}
			const isRequired = ({ name }: INodeProperties, shown: INodeProperties[]) =>
				shown.some((each) => each.name === name && each.required);
			const asked = expression.flat().filter(({ required }) => required);
			expect(asked.filter((each) => !values.every((shown) => isRequired(each, shown)))).toEqual([]);
		}
	});

	test('shows no box without anything to add, whatever is chosen', () => {
		const opened = Object.fromEntries(fields.map((field) => [field.name, field.default]));
		const panel = { ...(opened as INodeParameters), ...given };
		const dropdowns = fields.filter((field) => field.type === 'options');
		const others = dropdowns.flatMap((field) =>
			choicesOf(field).map(({ value }) => ({ ...panel, [field.name]: value })),
		);
		for (const chosen of [panel, ...others]) {
			const shown = (all: readonly INodeProperties[]) =>
				all.filter((field) =>
					NodeHelpers.displayParameter(chosen, field, null, type.description, chosen),
				);
			const boxes = shown(type.description.properties).filter((box) => box.type === 'collection');
			const empty = boxes.filter((box) => shown(withNested(box).slice(1)).length === 0);
			const messages = empty.map(({ name }) =>
				name === 'filters' ? 'its list is not in LIST_FILTERS' : `${name} is empty`,
			);
			expect([chosen, messages]).toEqual([chosen, []]);
		}
	});
});

describe('the hints of Link Management', () => {
	const { node } = OPERATION_NODES.linkManagement;
	const code = { resource: 'qrCode', operation: 'create', dataMode: 'fields' };
	const shown = (parameters: INodeParameters, items: number | IDataObject) =>
		(node.description.hints ?? [])
			.filter(
				({ displayCondition }) => evaluated(node, displayCondition, parameters, items) === true,
			)
			.map(({ message }) => message);

	test('say of some codes to scan one before they are printed', () => {
		expect(shown({ ...code, qrType: 'wifi' }, 1)).toEqual([
			expect.stringContaining('to Using JSON'),
		]);
		expect(shown({ ...code, qrType: 'link' }, 1)).toEqual([]);
	});

	test('say after a run that a column of the input filled no field', () => {
		const mapped = { resource: 'link', operation: 'upsert', mappingMode: 'autoMapInputData' };
		const filling = [...KNOWN_COLUMNS, ...RESULT_COLUMNS, 'UTM-Source', 'Short\u00adCode'];
		const row = Object.fromEntries(filling.map((name) => [name, 'x']));
		expect(shown(mapped, row)).toEqual([]);
		const other = { ...row, status: 'x' };
		expect(shown(mapped, other)).toEqual([expect.stringContaining('filled no field')]);
		expect(shown({ ...mapped, mappingMode: 'defineBelow' }, other)).toEqual([]);
	});
});

test('the credentials have the fields that saved credentials hold, with their defaults', () => {
	const extra = { extraHeaderName: '', extraHeaderValue: '' };
	const saved = CREDENTIALS.map(({ properties }) =>
		Object.fromEntries(properties.map((field) => [field.name, field.default])),
	);
	expect(saved).toEqual([
		{
			baseUrl: '',
			apiKey: '',
			moreSettings: false,
			requestsPerMinute: 30,
			timezone: 'UTC',
			...extra,
		},
		{
			baseUrl: '',
			apiKey: '',
			moreSettings: false,
			apiKeyLocation: 'body',
			apiKeyHeader: 'api_key',
			invalidCodeMessage: '',
			knownValidCode: '',
			requestsPerMinute: 0,
			...extra,
		},
	]);
});

describe('the package', () => {
	const json = (file: string) => record(JSON.parse(readFileSync(file, 'utf8')));
	const { n8n } = json('package.json') as { n8n: { nodes: string[] } };

	test('has a codex for every node, which leads to the README', () => {
		const codices = n8n.nodes.map((file) => json(file.replace(/\.js$/, '.json')));
		const names = NODES.map(({ description }) => `n8n-nodes-linkstore.${description.name}`);
		expect(codices.map(({ node }) => text(node, 'node')).sort()).toEqual(names.sort());
		// n8n appends a query, which would become a part of a fragment.
		const README = 'https://www.npmjs.com/package/n8n-nodes-linkstore';
		const resources = {
			primaryDocumentation: [{ url: README }],
			credentialDocumentation: [{ url: README }],
		};
		for (const codex of codices) expect(codex).toMatchObject({ resources });
		for (const { documentationUrl } of CREDENTIALS) expect(documentationUrl).toBe(README);
	});
});
