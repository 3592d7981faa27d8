import { type Dialect, type DialectName, dialectOf } from './dialects.ts';
import { Faults } from './faults.ts';
import type { Clock, ServiceName } from './fields.ts';
import { linkContent, seedLinkService } from './link/content.ts';
import { createLinkService } from './link/server.ts';
import type { RateLimit } from './rateLimit.ts';
import { openDatabase, randomKey, register } from './records.ts';
import type { RecordedRequest, SharedOptions } from './service.ts';
import { catalogue, seedStore } from './store/catalogue.ts';
import { createStoreService } from './store/server.ts';

export interface SandboxOptions {
	/** File of the database; default: in memory. */
	database?: string;
	/** Default: any free ports. */
	linkPort?: number;
	storePort?: number;
	/** Limit of the link service per key; default 30 per 60 s, 0 requests = no limit and no headers. */
	rateLimit?: RateLimit;
	/** A preset, or settings that differ from `installed`, the default. */
	dialect?: DialectName | Partial<Dialect>;
	/** Demo accounts and their content; a number: with that many links. Default: none. */
	seed?: 'demo' | number;
	onRequest?: SharedOptions['onRequest'];
	/** Default: the machine's clock. */
	clock?: Clock;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const DOCUMENTED_LIMIT: RateLimit = { requests: 30, windowSeconds: 60 };

/** Starts both services on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}) {
	const { clock = Date.now, seed, onRequest, rateLimit = DOCUMENTED_LIMIT } = options;
	const { database, tables } = openDatabase(options.database ?? ':memory:');
	const dialect = dialectOf(options.dialect ?? {});
	const faults = new Faults();
	const requests: RecordedRequest[] = [];
	const shared = { clock, dialect, faults, requests, onRequest };
	const linkService = createLinkService(tables, rateLimit, shared);
	const storeService = createStoreService(tables, shared);
	const accountsOf = { link: tables.linkAccounts, store: tables.storeAccounts };

	if (seed !== undefined) {
		seedLinkService(tables, clock(), dialect, seed === 'demo' ? undefined : seed);
		seedStore(tables, clock());
	}
	const host = '127.0.0.1';
	const linkUrl = await linkService.listen({ host, port: options.linkPort ?? 0 });
	const storeUrl = await storeService.listen({ host, port: options.storePort ?? 0 });

	return {
		/** Base URLs without a trailing slash. */
		linkUrl,
		storeUrl,
		/** Every API request in order of arrival. */
		requests,
		clearRequests: () => void requests.splice(0),
		register: (service: ServiceName, account: Parameters<typeof register>[1]) =>
			register(accountsOf[service], account, clock()),
		/** All records of both services, with all that is known of them, which no response may show. */
		tables,
		/** Makes what the API cannot make, and links in bulk. */
		links: linkContent(tables, clock),
		/** Publishes and sells items. */
		store: catalogue(tables, clock),
		/** Gives the account a new key; the old one is refused from now on. */
		rotateKey(service: ServiceName, accountId: number): string {
			const apiKey = randomKey();
			accountsOf[service].change(accountId, { apiKey });
			return apiKey;
		},
		faults,
		async stop(): Promise<void> {
			await Promise.all([linkService.close(), storeService.close()]);
			if (database.isOpen) database.close();
		},
	};
}
