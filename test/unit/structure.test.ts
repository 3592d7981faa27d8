import { existsSync, globSync, readFileSync } from 'node:fs';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { LinkManagementApi } from '../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../dist/credentials/StoreApi.credentials.js';
import { LinkManagement } from '../../dist/nodes/LinkManagement/LinkManagement.node.js';
import { Store } from '../../dist/nodes/Store/Store.node.js';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from '../contract/manifest.ts';

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

const withoutNames = (path: string): string => path.replace(/:[A-Za-z]+/g, ':');

const NODES = { linkManagement: new LinkManagement(), store: new Store() } as const;
type NodeName = keyof typeof NODES;

interface Operation {
	node: NodeName;
	resource: string;
	option: INodePropertyOptions;
	/** The fields that the editor shows for it. */
	fields: INodeProperties[];
}

const isPicker = ({ name }: INodeProperties): boolean =>
	name === 'resource' || name === 'operation';

const shownFor = (field: INodeProperties, condition: string): unknown[] =>
	(field.displayOptions?.show?.[condition] ?? []) as unknown[];

const choicesOf = (field: INodeProperties): INodePropertyOptions[] =>
	(field.options ?? []).filter((option) => 'value' in option);

const OPERATIONS: Operation[] = (['linkManagement', 'store'] as const).flatMap((node) => {
	const { properties } = NODES[node].description;
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((dropdown) =>
			choicesOf(dropdown).map((option) => {
				const resource = String(shownFor(dropdown, 'resource')[0]);
				const fields = properties.filter(
					(field) =>
						!isPicker(field) &&
						shownFor(field, 'resource').includes(resource) &&
						shownFor(field, 'operation').includes(option.value),
				);
				return { node, resource, option, fields };
			}),
		);
});

const nameOf = ({ resource, option }: Operation): string => `${resource}.${String(option.value)}`;
const requestOf = ({ option }: Pick<Operation, 'option'>): { method: string; url: string } => ({
	method: option.routing?.request?.method ?? '',
	url: option.routing?.request?.url ?? '',
});

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

/** The names of the fields in a collection. */
const inCollection = (fields: readonly INodeProperties[], collection: string): string[] =>
	(fields.find(({ name }) => name === collection)?.options ?? []).map(({ name }) => name);

const LIST = ['returnAll', 'limit'];
const LINK_FIELDS = [
	'customAlias',
	'redirectType',
	'splashPageId',
	'ctaOverlayId',
	'pageIdFormat',
	'password',
	'domain',
	'expiry',
	'geoTargets',
	'deviceTargets',
	'languageTargets',
	'metaTitle',
	'metaDescription',
	'metaImage',
	'parameters',
	'utm',
];
const QR_DATA = [
	'qrType',
	'dataMode',
	'dataJson',
	'text',
	'phone',
	'url',
	'email',
	'subject',
	'body',
	'message',
	'ssid',
	'encryption',
	'wifiPassword',
	'vcard',
];
const QR_LOOKS = ['background', 'foreground', 'logo'];

interface Interface {
	endpoint: string;
	parameters?: string[];
	additionalFields?: string[];
	updateFields?: string[];
	options?: string[];
}

/** The interface that saved workflows depend on: renaming any of it breaks them. */
const INTERFACE: Record<NodeName, Record<string, Interface>> = {
	linkManagement: {
		'account.get': { endpoint: 'GET /api/account' },
		'account.update': {
			endpoint: 'PUT /api/account/update',
			updateFields: ['email', 'password'],
		},
		'campaign.create': {
			endpoint: 'POST /api/campaign/add',
			parameters: ['name'],
			additionalFields: ['slug', 'public'],
		},
		'campaign.getAll': { endpoint: 'GET /api/campaigns', parameters: LIST },
		'campaign.update': {
			endpoint: 'PUT /api/campaign/:campaignId/update',
			parameters: ['campaignId', 'name'],
			updateFields: ['slug', 'public'],
		},
		'campaign.delete': {
			endpoint: 'DELETE /api/campaign/:campaignId/delete',
			parameters: ['campaignId'],
		},
		'campaign.assignLink': {
			endpoint: 'POST /api/campaign/:campaignId/assign/:linkId',
			parameters: ['campaignId', 'linkId'],
		},
		'channel.create': {
			endpoint: 'POST /api/channel/add',
			parameters: ['name'],
			additionalFields: ['description', 'color', 'starred'],
		},
		'channel.getAll': { endpoint: 'GET /api/channels', parameters: LIST },
		'channel.getItems': {
			endpoint: 'GET /api/channel/:channelId',
			parameters: ['channelId', ...LIST],
		},
		'channel.update': {
			endpoint: 'PUT /api/channel/:channelId/update',
			parameters: ['channelId'],
			updateFields: ['name', 'description', 'color', 'starred'],
		},
		'channel.delete': {
			endpoint: 'DELETE /api/channel/:channelId/delete',
			parameters: ['channelId'],
		},
		'channel.assignItem': {
			endpoint: 'POST /api/channel/:channelId/assign/:itemType/:itemId',
			parameters: ['channelId', 'itemType', 'itemId'],
		},
		'ctaOverlay.getAll': { endpoint: 'GET /api/overlay', parameters: LIST },
		'domain.create': {
			endpoint: 'POST /api/domain/add',
			parameters: ['domain'],
			additionalFields: ['rootRedirect', 'notFoundRedirect'],
		},
		'domain.getAll': { endpoint: 'GET /api/domains', parameters: LIST },
		'domain.update': {
			endpoint: 'PUT /api/domain/:domainId/update',
			parameters: ['domainId'],
			updateFields: ['rootRedirect', 'notFoundRedirect'],
		},
		'domain.delete': {
			endpoint: 'DELETE /api/domain/:domainId/delete',
			parameters: ['domainId'],
		},
		'link.create': {
			endpoint: 'POST /api/url/add',
			parameters: ['url'],
			additionalFields: LINK_FIELDS,
		},
		'link.get': { endpoint: 'GET /api/url/:linkId', parameters: ['linkId'] },
		'link.getAll': { endpoint: 'GET /api/urls', parameters: LIST, options: ['order'] },
		'link.update': {
			endpoint: 'PUT /api/url/:linkId/update',
			parameters: ['linkId'],
			updateFields: ['url', ...LINK_FIELDS],
		},
		'link.delete': { endpoint: 'DELETE /api/url/:linkId/delete', parameters: ['linkId'] },
		'pixel.create': {
			endpoint: 'POST /api/pixel/add',
			parameters: ['pixelType', 'name', 'tag'],
		},
		'pixel.getAll': { endpoint: 'GET /api/pixels', parameters: LIST },
		'pixel.update': {
			endpoint: 'PUT /api/pixel/:pixelId/update',
			parameters: ['pixelId', 'tag'],
			updateFields: ['name'],
		},
		'pixel.delete': { endpoint: 'DELETE /api/pixel/:pixelId/delete', parameters: ['pixelId'] },
		'qrCode.create': {
			endpoint: 'POST /api/qr/add',
			parameters: QR_DATA,
			additionalFields: QR_LOOKS,
		},
		'qrCode.get': { endpoint: 'GET /api/qr/:qrCodeId', parameters: ['qrCodeId'] },
		'qrCode.getAll': { endpoint: 'GET /api/qr', parameters: LIST },
		'qrCode.update': {
			endpoint: 'PUT /api/qr/:qrCodeId/update',
			parameters: ['qrCodeId', ...QR_DATA],
			updateFields: QR_LOOKS,
		},
		'qrCode.delete': { endpoint: 'DELETE /api/qr/:qrCodeId/delete', parameters: ['qrCodeId'] },
		'splashPage.getAll': { endpoint: 'GET /api/splash', parameters: LIST },
	},
	store: {
		'account.get': { endpoint: 'GET /api/account/details' },
		'item.get': { endpoint: 'GET /api/items/item', parameters: ['itemId'] },
		'item.getAll': { endpoint: 'GET /api/items/all', parameters: LIST },
		'purchase.validate': {
			endpoint: 'POST /api/purchases/validation',
			parameters: ['purchaseCode'],
			options: ['onInvalid', 'expectedItemId'],
		},
	},
};

const COLLECTIONS = ['additionalFields', 'updateFields', 'options'] as const;

describe.each(['linkManagement', 'store'] as const)('the node %s', (node) => {
	const operations = OPERATIONS.filter((operation) => operation.node === node);
	const { description } = NODES[node];

	test('has exactly one operation for every endpoint of its document, and none besides', () => {
		const requests = operations.map((operation) => {
			const { method, url } = requestOf(operation);
			return `${method} ${withoutNames(url)}`;
		});
		expect(requests.sort()).toEqual(Object.keys(documented()[node]).sort());
		expect(requests).toHaveLength({ linkManagement: 33, store: 4 }[node]);
	});

	test('has the operations that saved workflows name, and none besides', () => {
		expect(operations.map(nameOf).sort()).toEqual(Object.keys(INTERFACE[node]).sort());
	});

	test('offers every resource that has operations, and no empty one', () => {
		const offered = choicesOf(
			description.properties.find(({ name }) => name === 'resource') ?? fail('no resource field'),
		);
		const used = new Set(operations.map(({ resource }) => resource));
		expect(offered.map(({ value }) => value).sort()).toEqual([...used].sort());
	});

	test('preselects an option that exists, everywhere', () => {
		const dropdowns = allFields(description.properties).filter(({ type }) => type === 'options');
		expect(dropdowns.length).toBeGreaterThan(1);
		for (const dropdown of dropdowns) {
			expect(choicesOf(dropdown).map(({ value }) => value)).toContain(dropdown.default);
		}
	});

	test('has no two options of one value or one name in a dropdown', () => {
		for (const dropdown of allFields(description.properties)) {
			for (const key of ['value', 'name'] as const) {
				const all = choicesOf(dropdown).map((option) => option[key]);
				expect(all).toEqual([...new Set(all)]);
			}
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

	test('shows every field for exactly one operation of one resource', () => {
		const known = operations.map(nameOf);
		for (const field of description.properties.filter((property) => !isPicker(property))) {
			const [resource, ...otherResources] = shownFor(field, 'resource');
			const [operation, ...otherOperations] = shownFor(field, 'operation');
			expect([field.name, otherResources, otherOperations]).toEqual([field.name, [], []]);
			expect(known).toContain(`${String(resource)}.${String(operation)}`);
		}
	});

	test('labels and describes every field', () => {
		const fields = allFields(description.properties).filter((field) => !isPicker(field));
		expect(fields.length).toBeGreaterThan(5);
		for (const { name, displayName, description: text } of fields) {
			expect([name, displayName]).toEqual([name, expect.stringMatching(/^[A-Z]/)]);
			// n8n's own collections have none either: their label says it.
			if ((COLLECTIONS as readonly string[]).includes(name)) continue;
			expect([name, text]).toEqual([name, expect.stringMatching(/^[A-Z].{8,}/)]);
		}
	});

	test('starts every placeholder with e.g., and has one on every text field that is no secret', () => {
		const texts = allFields(description.properties).filter(
			({ type, typeOptions }) => type === 'string' && typeOptions?.password !== true,
		);
		for (const { name, placeholder } of texts) {
			expect([name, placeholder]).toEqual([name, expect.stringMatching(/^e\.g\. \S/)]);
		}
	});

	test('has a search for every list that a field offers, and a field for every search', () => {
		const wanted = allFields(description.properties)
			.flatMap(({ modes = [] }) => modes)
			.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
		const offered = (NODES[node] as INodeType).methods?.listSearch ?? {};
		expect([...new Set(wanted)].sort()).toEqual(Object.keys(offered).sort());
		for (const search of Object.values(offered)) expect(typeof search).toBe('function');
	});

	test('lets every locator be picked from a searchable list, then be entered', () => {
		const locators = allFields(description.properties).filter(
			({ type }) => type === 'resourceLocator',
		);
		expect(locators.length).toBeGreaterThan(0);
		for (const { modes = [] } of locators) {
			expect(modes.map(({ name }) => name)).toEqual(['list', expect.stringMatching(/^(id|name)$/)]);
			expect(modes[0]?.typeOptions?.searchable).toBe(true);
		}
	});

	test('hides what is typed into a password field', () => {
		const secrets = allFields(description.properties).filter(({ name }) => /password/i.test(name));
		for (const { name, typeOptions } of secrets) {
			expect([name, typeOptions?.password]).toEqual([name, true]);
		}
	});

	test('is a tool for agents, with one input and one output', () => {
		expect(description).toMatchObject({ usableAsTool: true, inputs: ['main'], outputs: ['main'] });
	});
});

/** Members of bodies that no single field sends: the code composes them of these fields. */
const COMPOSED: Record<string, string[]> = {
	parameters: ['parameters', 'utm'],
	data: ['dataMode', 'dataJson'],
};

describe.each(
	OPERATIONS.map((operation) => [operation.node, nameOf(operation), operation] as const),
)('in the node %s the operation %s', (node, name, { option, fields }) => {
	const { method, url } = requestOf({ option });
	const endpoint = documented()[node][`${method} ${withoutNames(url)}`];
	const sends = allFields(fields).flatMap(({ routing }) => routing?.send ?? []);
	const sent = (type: 'body' | 'query'): string[] =>
		sends.filter((send) => send.type === type).map(({ property = '' }) => property);

	test('has the parameters that saved workflows name', () => {
		const promised = INTERFACE[node][name];
		const collections = COLLECTIONS.filter((collection) => promised?.[collection]);
		expect(`${method} ${url}`).toBe(promised?.endpoint);
		expect(fields.map((field) => field.name).sort()).toEqual(
			[...(promised?.parameters ?? []), ...collections].sort(),
		);
		for (const collection of collections) {
			expect(inCollection(fields, collection).sort()).toEqual(
				[...(promised?.[collection] ?? [])].sort(),
			);
		}
	});

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
		expect([...sent('body'), ...composed].sort()).toEqual([...(endpoint?.body ?? [])].sort());
		// The page walker sends these two.
		const query = (endpoint?.query ?? []).filter((field) => field !== 'limit' && field !== 'page');
		expect(sent('query').sort()).toEqual(query.sort());
		expect(sends.every(({ type }) => type === 'body' || type === 'query')).toBe(true);
	});

	test('goes through the exchange', () => {
		expect(typeof option.routing?.operations?.pagination).toBe('function');
		const [resource] = NODES[node].description.properties;
		expect(resource?.routing?.send?.paginate).toBe(true);
	});

	test('is static: method and path hold no expression', () => {
		expect(url).toMatch(/^\/api\/[A-Za-z:/]+$/);
		expect(method).toMatch(/^(GET|POST|PUT|DELETE)$/);
	});
});

const CREDENTIALS: ICredentialType[] = [new LinkManagementApi(), new StoreApi()];

describe('the credentials', () => {
	test('have the fields that saved credentials hold', () => {
		const names = CREDENTIALS.map(
			({ name, properties }) => [name, properties.map((field) => field.name)] as const,
		);
		expect(Object.fromEntries(names)).toEqual({
			linkManagementApi: ['baseUrl', 'apiKey', 'requestsPerMinute', 'timezone'],
			storeApi: ['baseUrl', 'apiKey', 'apiKeyLocation', 'apiKeyHeader', 'requestsPerMinute'],
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
			expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
		}
	});

	test('label and describe every field', () => {
		for (const { displayName, description } of CREDENTIALS.flatMap(
			({ properties }) => properties,
		)) {
			expect(displayName).toMatch(/^[A-Z]/);
			expect(description).toMatch(/^[A-Z].{15,}/);
		}
	});

	test('belong to a node that tests them', () => {
		const tested = Object.values(NODES).map((node) => {
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
	const { n8n } = JSON.parse(readFileSync('package.json', 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};

	test('names every node that is built, and builds every node that it names', () => {
		expect([...n8n.nodes].sort()).toEqual(globSync('dist/nodes/**/*.node.js').sort());
	});

	test('names every credential that is built, and builds every credential that it names', () => {
		expect([...n8n.credentials].sort()).toEqual(
			globSync('dist/credentials/*.credentials.js').sort(),
		);
	});

	test('holds the codex and the icons of every node', () => {
		for (const file of n8n.nodes) expect(existsSync(file.replace(/\.js$/, '.json'))).toBe(true);
		for (const node of Object.values(NODES)) {
			const { icon } = node.description;
			const { light, dark } = icon as { light: string; dark: string };
			for (const path of [light, dark]) {
				const file = path.replace(/^file:(\.\.\/)*/, 'dist/');
				expect([file, existsSync(file)]).toEqual([file, true]);
			}
		}
	});
});

function fail(message: string): never {
	throw new Error(message);
}
