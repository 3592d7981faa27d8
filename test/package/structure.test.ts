import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';

import { LinkManagementApi } from '../../dist/credentials/LinkManagementApi.credentials.js';
import { StoreApi } from '../../dist/credentials/StoreApi.credentials.js';
import { LinkManagementTrigger } from '../../dist/nodes/LinkManagement/LinkManagementTrigger.node.js';
import { StoreTrigger } from '../../dist/nodes/Store/StoreTrigger.node.js';
import { LINK_ENDPOINTS, STORE_ENDPOINTS } from '../contract/manifest.ts';
import { OPERATION_NODES, OPERATIONS } from '../operations.ts';
import { linesOf, presentParameters, readSavedParameters } from '../savedParameters.ts';

/** Walks the descriptions as n8n reads them, and compares them with the documents and with what saved workflows rely on. */

const NODES: INodeType[] = [
	OPERATION_NODES.linkManagement.node,
	OPERATION_NODES.store.node,
	new LinkManagementTrigger(),
	new StoreTrigger(),
];
const CREDENTIALS: ICredentialType[] = [new LinkManagementApi(), new StoreApi()];

/** A field, and all fields inside it. */
function withNested(field: INodeProperties): INodeProperties[] {
	const inner = (field.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [field, ...inner.flatMap(withNested)];
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

const ADDED_TO_LINKS = ['body.description', 'body.pixels', 'body.status'];

/** What many installations take, although the document does not name it. */
const ADDED: Record<string, readonly string[]> = {
	'POST /api/url/add': ADDED_TO_LINKS,
	'PUT /api/url/:/update': ADDED_TO_LINKS,
	'POST /api/qr/add': ['body.name'],
};

/** Members that the code composes of several fields. */
const COMPOSED: Record<string, string[]> = {
	'body.type': ['qrType'],
	'body.data': ['dataMode', 'dataJson'],
	'body.purchase_code': ['purchaseCode'],
};

/** Members that no request has: tags go into the long URL, and extra members are members of their own. */
const TAGS = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => `body.utm_${name}`);
const WRITTEN_ELSEWHERE = ['body.utm', ...TAGS, 'body.extraFields', 'query.extraQuery'];

test('the operations send a request to each endpoint', () => {
	const requests = OPERATIONS.map(({ option }) => option.routing?.request);
	const sent = requests.map((request) => withoutNames(`${request?.method} ${request?.url}`));
	const documented = Object.keys(DOCUMENTED);
	const unsent = documented.filter((endpoint) => !sent.includes(endpoint));
	expect(unsent.map((endpoint) => `${endpoint} has no operation`)).toEqual([]);
	const unknown = sent.filter((endpoint) => !documented.includes(endpoint));
	expect(unknown.map((endpoint) => `${endpoint} is not in manifest.ts`)).toEqual([]);
});

describe.each(OPERATIONS)('in the node $node the operation $name', ({ option, fields }) => {
	const { method, url = '' } = option.routing?.request ?? {};
	const all = fields.flatMap(withNested);

	test('sends every name of test/contract/manifest.ts and no other', () => {
		const endpoint = withoutNames(`${method} ${url}`);
		const documented = DOCUMENTED[endpoint] ?? [];
		const added = ADDED[endpoint] ?? [];
		const composed = documented.filter((name) =>
			COMPOSED[name]?.every((part) => all.some((field) => field.name === part)),
		);
		const sent = all
			.flatMap(({ routing }) => routing?.send ?? [])
			.map(({ type, property }) => `${type}.${property}`)
			.filter((name) => !WRITTEN_ELSEWHERE.includes(name));
		const [has, wanted] = [
			[...sent, ...composed],
			[...documented, ...added],
		];
		const unknown = [...new Set(has)].filter((name) => !wanted.includes(name));
		const unsent = wanted.filter((name) => !has.includes(name));
		expect(unknown.map((name) => `test/contract/manifest.ts does not have ${name}`)).toEqual([]);
		expect(unsent.map((name) => `no field sends ${name}`)).toEqual([]);
	});
});

/** What n8n's guidelines ask of every field, and its lint rules do not check. */
const FIELD_RULES: Record<string, (field: INodeProperties) => boolean> = {
	// It would evaluate each of them twice more for every item.
	'does not tell n8n where it is sent': ({ name, routing }) =>
		name === 'resource' || routing === undefined,
	'hides what is typed, if it is a secret': ({ name, type, typeOptions }) =>
		(type === 'string' && /password|^apiKey$|HeaderValue$|^knownValidCode$/i.test(name)) ===
		(typeOptions?.password === true),
};

test.each(Object.entries(FIELD_RULES))('every field %s', (_rule, holds) => {
	const properties = [...NODES.map(({ description }) => description), ...CREDENTIALS].flatMap(
		(each) => each.properties,
	);
	const fields = properties.flatMap(withNested).filter(({ type }) => type !== 'hidden');
	expect(fields.filter((field) => !holds(field)).map(({ name }) => name)).toEqual([]);
});

test.each(NODES)('every list of $description.name has a search', ({ description, methods }) => {
	const wanted = description.properties
		.flatMap(withNested)
		.flatMap(({ modes = [] }) => modes)
		.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
	expect(Object.keys(methods?.listSearch ?? {})).toEqual(expect.arrayContaining(wanted));
});

test.each(NODES)('saved workflows find $description.name', ({ description }) => {
	const { defaults, displayName, polling, usableAsTool, credentials = [], group } = description;
	const isTrigger = group[0] === 'trigger';
	expect(description).toMatchObject({ version: 1, outputs: ['main'] });
	expect(defaults.name).toBe(displayName);
	expect([polling, usableAsTool]).toEqual(isTrigger ? [true, undefined] : [undefined, true]);
	expect(credentials.map(({ required }) => required)).toEqual([true]);
});

test('saved workflows find every parameter as it was, and may rely on those that are new', () => {
	const saved = linesOf(readSavedParameters());
	const present = linesOf(presentParameters());
	const gone = saved.filter((line) => !present.includes(line));
	const added = present.filter((line) => !saved.includes(line));
	expect(gone.map((line) => `saved workflows may have this: ${line}`)).toEqual([]);
	expect(added.map((line) => `npm run schemas has not seen this: ${line}`)).toEqual([]);
});
