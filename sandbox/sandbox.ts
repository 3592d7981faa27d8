import { Accounts, type NewAccount } from './accounts.ts';
import type { Clock } from './clock.ts';
import { openDatabase } from './database.ts';
import { type Dialect, type DialectName, resolveDialect } from './dialects.ts';
import { Faults } from './faults.ts';
import { LinkContent } from './link/content.ts';
import { seedLinkService } from './link/seed.ts';
import { createLinkService } from './link/server.ts';
import type { RateLimit } from './rateLimit.ts';
import type { RecordedRequest, Recorder, ServiceName } from './recorder.ts';
import { listen } from './service.ts';
import { Catalogue } from './store/catalogue.ts';
import { seedStore } from './store/seed.ts';
import { createStoreService } from './store/server.ts';

export { DEMO } from './demo.ts';
export type { Dialect, DialectName } from './dialects.ts';
export type { Fault } from './faults.ts';
export type { RecordedRequest } from './recorder.ts';

export interface SandboxOptions {
	/** File of the database; default: in memory. */
	database?: string | undefined;
	/** Port of the link service; default 0, any free one. */
	linkPort?: number | undefined;
	/** Port of the store; default 0, any free one. */
	storePort?: number | undefined;
	/** Limit of the link service per key; default 30 per 60 s, 0 requests = no limit and no headers. */
	rateLimit?: RateLimit | undefined;
	/** A preset, or settings that differ from `documented`. */
	dialect?: DialectName | Partial<Dialect> | undefined;
	/** Demo accounts and their content; a number: with that many links. Default: none. */
	seed?: 'none' | 'demo' | number | undefined;
	/** Called when an API request has been answered. */
	onRequest?: ((request: RecordedRequest) => void) | undefined;
	/** Default: the machine's clock. */
	clock?: Clock | undefined;
}

export interface Sandbox {
	/** Base URLs without a trailing slash. */
	linkUrl: string;
	storeUrl: string;
	/** Every API request in order of arrival. */
	requests: RecordedRequest[];
	clearRequests(): void;
	/** Registers an account of the link service. */
	register(account: NewAccount): Promise<{ id: number; apiKey: string }>;
	/** Registers an account of the store. */
	registerStoreAccount(account: NewAccount): Promise<{ id: number; apiKey: string }>;
	/** Makes what the API cannot make, and links in bulk. */
	links: LinkContent;
	/** Publishes and sells items. */
	store: Catalogue;
	/** Changes the balance of an account of the store, as a sale or a payout does. */
	changeBalance(accountId: number, balance: number): void;
	/** Gives the account a new key; the old one is refused from now on. */
	rotateKey(service: ServiceName, accountId: number): string;
	faults: Faults;
	stop(): Promise<void>;
}

const DOCUMENTED_LIMIT: RateLimit = { requests: 30, windowSeconds: 60 };

/** Starts both services on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const clock = options.clock ?? Date.now;
	const dialect = resolveDialect(options.dialect);
	const database = openDatabase(options.database ?? ':memory:');
	const accounts = {
		link: new Accounts(database, 'link'),
		store: new Accounts(database, 'store'),
	};
	const faults = new Faults();
	const recorder: Recorder = { requests: [], onRequest: options.onRequest };
	const links = new LinkContent(database, clock);
	const store = new Catalogue(database, clock);
	let linkUrl = 'http://127.0.0.1';
	let storeUrl = '';

	const shared = { clock, dialect, recorder, faults };
	const linkContext = { database, dialect, baseUrl: () => linkUrl };
	const rateLimit = options.rateLimit ?? DOCUMENTED_LIMIT;
	const linkService = createLinkService(linkContext, accounts.link, rateLimit, shared);
	const storeService = createStoreService({ database, dialect }, accounts.store, shared);
	const stop = async (): Promise<void> => {
		await Promise.all([linkService.close(), storeService.close()]);
		if (database.isOpen) database.close();
	};

	try {
		const { seed = 'none' } = options;
		if (seed !== 'none') {
			seedLinkService(linkContext, accounts.link, clock(), seed === 'demo' ? undefined : seed);
			seedStore(store, accounts.store, database, clock());
		}
		linkUrl = await listen(linkService, options.linkPort ?? 0);
		storeUrl = await listen(storeService, options.storePort ?? 0);
	} catch (error) {
		await stop();
		throw error;
	}

	return {
		linkUrl,
		storeUrl,
		requests: recorder.requests,
		clearRequests() {
			recorder.requests.length = 0;
		},
		register: async (account) => await Promise.resolve(accounts.link.register(account, clock())),
		registerStoreAccount: async (account) =>
			await Promise.resolve(accounts.store.register(account, clock())),
		links,
		store,
		changeBalance: (accountId, balance) => accounts.store.changeBalance(accountId, balance),
		rotateKey: (service, accountId) => accounts[service].rotateKey(accountId),
		faults,
		stop,
	};
}
