import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import type { Dialect, DialectName } from '../../../sandbox/dialects.ts';
import { DIALECT_NAMES, dialectOf } from '../../../sandbox/dialects.ts';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import type { RecordedRequest } from '../../../sandbox/service.ts';
import type { Fields } from '../../fixtures.ts';
import { isRecord, record } from '../../n8n-host/json.ts';
import { clock } from './clock.ts';
import type { Credentials, ListSearch, NodeResult, NodeRun } from './engine.ts';
import { runNode, searchList, testCredential } from './engine.ts';

/** A request as a service got it, with the key taken out and its place told instead. */
export interface Sent {
	/** `PUT /api/url/7/update` */
	request: string;
	query: Record<string, unknown>;
	/** undefined: none. */
	body: unknown;
	/** Every place in which the key came. */
	keyIn: string[];
	contentType: string | undefined;
}

const FORM = 'application/x-www-form-urlencoded';

/** What a node did, and what of it arrived. */
export interface StageResult extends NodeResult {
	requests: Sent[];
}

export interface NodeSettings extends Pick<
	NodeRun,
	'rows' | 'settings' | 'mode' | 'onCredentialRead' | 'onStart'
> {
	/** Members of the credential that differ. */
	credential?: IDataObject;
}

type Given = [parameters?: INodeParameters, settings?: NodeSettings];

interface StageOptions extends SandboxOptions {
	/**
	 * The service counts requests by key. With a new one for each run of a node, and for each request beside them,
	 * a run finds its rate limit untouched.
	 */
	renewsKey?: boolean;
}

/**
 * Both services in one dialect, and a new account on each for every test. Without a dialect, and for settings that are not
 * given, they respond as installations do.
 */
export class Stage {
	readonly dialect: Dialect;
	linkAccount = { id: 0, apiKey: '' };
	storeAccount = { id: 0, apiKey: '' };
	private readonly options: StageOptions;
	private running: Sandbox | undefined;
	private accounts = 0;

	constructor(dialect: DialectName | Partial<Dialect> = 'installed', options: StageOptions = {}) {
		this.dialect = dialectOf(dialect);
		this.options = options;
	}

	/** A stage for one test: `await using` ends it. */
	static async opened(...given: ConstructorParameters<typeof Stage>): Promise<Stage> {
		const stage = new Stage(...given);
		await stage.open();
		stage.enter();
		return stage;
	}

	get sandbox(): Sandbox {
		if (!this.running) throw new Error('The stage is not open');
		return this.running;
	}

	async open(): Promise<void> {
		const rateLimit = { requests: 0, windowSeconds: 60 };
		const { renewsKey: _ofStage, ...options } = this.options;
		this.running = await startSandbox({ rateLimit, clock, ...options, dialect: this.dialect });
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.running?.stop();
	}

	/** New accounts, so that a test finds nothing of another one. */
	enter(): void {
		this.accounts += 1;
		const { email } = this;
		this.sandbox.faults.clear();
		this.linkAccount = this.sandbox.register('link', { email });
		this.storeAccount = this.sandbox.register('store', { email });
	}

	renewKey(): void {
		if (this.options.renewsKey !== true) return;
		this.linkAccount.apiKey = this.sandbox.rotateKey('link', this.linkAccount.id);
	}

	/** Of both accounts. */
	get email(): string {
		return `user${this.accounts}@example.com`;
	}

	get credentials(): Credentials {
		return {
			linkManagementApi: {
				baseUrl: this.sandbox.linkUrl,
				apiKey: this.linkAccount.apiKey,
				requestsPerMinute: 0,
				timezone: 'UTC',
			},
			storeApi: {
				baseUrl: this.sandbox.storeUrl,
				apiKey: this.storeAccount.apiKey,
				apiKeyLocation: this.dialect.storeKeyPlace.replace('any', 'query'),
				apiKeyHeader: 'api_key',
				requestsPerMinute: 0,
			},
		};
	}

	/** Runs the Link Management node: `campaign.create` with these parameters. */
	link = async (operation: string, ...given: Given) =>
		await this.run('linkManagement', operation, ...given);

	/** Runs the Store node. */
	store = async (operation: string, ...given: Given) =>
		await this.run('store', operation, ...given);

	/** @param name `campaign.create` */
	async run(
		type: 'linkManagement' | 'store',
		name: string,
		...[parameters = {}, { credential = {}, ...settings } = {}]: Given
	): Promise<StageResult> {
		const [resource = '', operation = ''] = name.split('.');
		this.renewKey();
		this.sandbox.clearRequests();
		const result = await runNode({
			type,
			parameters: { resource, operation, ...parameters },
			credentials: this.credentialFor(type, credential),
			...settings,
		});
		return { ...result, requests: this.sent() };
	}

	/** Opens the list of a locator of the Link Management node, or of the Store node for `searchItems`. */
	async search(
		method: string,
		{ credential = {}, ...asked }: ListSearch & Pick<NodeSettings, 'credential'> = {},
	) {
		const type = method === 'searchItems' ? 'store' : 'linkManagement';
		this.sandbox.clearRequests();
		const credentials = this.credentialFor(type, credential);
		const result = await searchList(type, method, credentials, asked);
		return { ...result, requests: this.sent() };
	}

	/** Tests a credential with these changes, as the editor does when it is saved. */
	async testCredential(type: 'linkManagement' | 'store', changes: IDataObject = {}) {
		return await testCredential(type, this.credentialFor(type, changes));
	}

	private credentialFor(type: 'linkManagement' | 'store', changes: IDataObject): Credentials {
		const name = `${type}Api`;
		const credential = { ...this.credentials[name], ...changes };
		return { [name]: credential as ICredentialDataDecryptedObject };
	}

	/** What arrived since the last run began. */
	sent(): Sent[] {
		return this.sandbox.requests.map((request) => this.sentOf(request));
	}

	/** The request that the document asks for. */
	expected(
		service: 'link' | 'store',
		request: string,
		{ query = {}, body }: { query?: Record<string, unknown>; body?: unknown } = {},
	): Sent {
		const place = service === 'link' ? 'authorization' : this.storeKeyPlaceOf(request);
		const contentType = place === 'form' ? FORM : 'application/json';
		return { request, query, body, keyIn: [place], contentType };
	}

	private storeKeyPlaceOf(request: string): string {
		const place = this.dialect.storeKeyPlace;
		const isRead = request.startsWith('GET');
		return place === 'any' || (isRead && place !== 'header') ? 'query' : place;
	}

	private sentOf({ service, method, path, query, body, headers }: RecordedRequest): Sent {
		const { apiKey } = service === 'link' ? this.linkAccount : this.storeAccount;
		const contentType = headers['content-type'];
		const places: Record<string, boolean> = {
			authorization: headers.authorization === `Bearer ${apiKey}`,
			query: query.api_key === apiKey,
			header: headers.api_key === apiKey,
			[contentType === FORM ? 'form' : 'body']: record(body).api_key === apiKey,
		};
		const { api_key: _inQuery, ...otherQuery } = query;
		const { api_key: _inBody, ...otherMembers } = record(body);
		return {
			request: `${method} ${path}`,
			query: otherQuery,
			body: isRecord(body) ? otherMembers : body,
			keyIn: Object.keys(places).filter((place) => places[place]),
			contentType,
		};
	}

	/** Asks the service without the node: to make what a test needs, and to see what it left. */
	async api(request: string, body?: Record<string, unknown>): Promise<Record<string, unknown>> {
		this.renewKey();
		const [method = 'GET', path = ''] = request.split(' ');
		const response = await fetch(`${this.sandbox.linkUrl}${path}`, {
			method,
			headers: {
				Authorization: `Bearer ${this.linkAccount.apiKey}`,
				'Content-Type': 'application/json',
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const answer = (await response.json()) as Record<string, unknown>;
		if (response.status >= 400 || Number(answer.error ?? 0) !== 0) {
			throw new Error(`${request}: ${JSON.stringify(answer)}`);
		}
		return answer;
	}

	/** A name that no other test uses, for aliases, slugs and the like. */
	unique(name: string): string {
		return `${name}-${this.accounts}`;
	}

	/** Makes a record without the node; gives its id. */
	async make(path: string, body: Record<string, unknown>): Promise<number> {
		return Number((await this.api(`POST ${path}`, body)).id);
	}
}

/** Opens the stage for the tests of the surrounding describe. */
export function onStage(stage: Stage): Stage {
	beforeAll(async () => await stage.open());
	beforeEach(() => stage.enter());
	afterAll(async () => await stage[Symbol.asyncDispose]());
	return stage;
}

/** The same tests in each of these presets. */
const inDialects =
	(dialects: readonly DialectName[]) =>
	(tests: (stage: Stage) => void): void =>
		describe.each(dialects)('in the dialect %s', (dialect) => tests(onStage(new Stage(dialect))));

export const inEveryDialect = inDialects(DIALECT_NAMES);

/** The presets that differ most: in page sizes, order, dates, and how values are written. */
export const inContrastingDialects = inDialects(['hostile', 'installed']);

/** Records on a page of a list that is read as a whole, 100 at a time where the service allows it. */
export function largestPage({ maxLimit }: Dialect): number {
	const pages: Record<string, number> = { unlimited: 100, ignored: 15 };
	return pages[maxLimit] ?? Number(maxLimit);
}

/** A locator as the editor stores it, the name of its record entered. */
export const named = (mode: string, value: string | number): INodeParameters => ({
	__rl: true,
	mode,
	value,
});

/** The same, its id entered. */
export const byId = (value: string | number): INodeParameters => named('id', value);

/** Settings of a node: a row that fails does not end the run. */
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Settings of a node. */
export const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The requests of a run, such as `GET /api/urls`. */
export const sentIn = ({ requests }: StageResult): string[] =>
	requests.map(({ request }) => request);

/** Those of them that write. */
export const writesIn = (result: StageResult): string[] =>
	sentIn(result).filter((request) => !request.startsWith('GET '));

/** What happened to each row. */
export const outcomesIn = ({ json }: StageResult): unknown[] => json.map(({ outcome }) => outcome);

/** Adds a domain to the account. */
export async function newDomain(stage: Stage): Promise<string> {
	const domain = `https://${stage.unique('go')}.example.com`;
	await stage.make('/api/domain/add', { domain });
	return domain;
}

/** The IDs of items or records. */
export const idsOf = (records: IDataObject[]): unknown[] => records.map(({ id }) => id);

/** What an item of the output is made from. */
export const pairs = ({ items }: NodeResult): unknown[] =>
	items.map(({ pairedItem }) => pairedItem);

/** Jest's matchers as values of a known type: its own are `any`. */
export const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const A_NUMBER: unknown = expect.any(Number);
export const DATETIME: unknown = like(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** A member of an output that is a text. */
export function textOf(value: unknown): string {
	if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is no text`);
	return value;
}

/** Every record of a list of the link service. */
export async function recordsOf(stage: Stage, path: string): Promise<Fields[]> {
	const records: Fields[] = [];
	for (let page = 1, last = 1; page <= last; page += 1) {
		const { data } = await stage.api(`GET ${path}?limit=100&page=${page}`);
		const members = record(data);
		last = Number(members.maxpage);
		records.push(...(Object.values(members).find(Array.isArray) as Fields[]));
	}
	return records;
}
