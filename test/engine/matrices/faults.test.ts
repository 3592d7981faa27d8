import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/faults.ts';
import { searchList, testCredential } from '../helpers/engine.ts';
import { byId, onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** Everything that sends requests meets every fault of the sandbox: how many requests arrive, and what people read. */

/** Never reached, but by the program that uses it up. */
const RATE_LIMIT = { requests: 1000, windowSeconds: 60 };

const stage = onStage(new Stage({ maxLimit: '25' }, { rateLimit: RATE_LIMIT, renewsKey: true }));

const ADDRESS_OR_UP = /Check the (base URL in the credential|address, and that the service is up)/;
const LOST = 'No response from %: the connection was closed before the response';
const LATE = 'No response from %: the request timed out';

interface Outcome {
	/** What people read if it fails; `%` stands for the service. */
	says?: string;
	/** Whether the request is sent again, and succeeds then. */
	isRepeated?: boolean;
	/** Whether a write is certainly not carried out. */
	isCertain?: boolean;
}

const got = (what: string, status: number): string =>
	`Expected a response from %, but got ${what} (status ${status})`;

/** For a read and a write; `undefined`: it succeeds. */
const OUTCOMES: Record<Exclude<FaultKind, 'respond'>, { read: Outcome; write: Outcome }> = {
	delay: { read: {}, write: {} },
	'drop-before': { read: { isRepeated: true }, write: { says: LOST } },
	'drop-after': { read: { isRepeated: true }, write: { says: LOST } },
	'http-500': { read: { says: got('a web page', 500) }, write: { says: got('a web page', 500) } },
	'http-502': {
		read: { isRepeated: true },
		write: { says: '% is not available (status 502)' },
	},
	'http-503': {
		read: { isRepeated: true },
		write: { says: '% is not available (status 503)' },
	},
	'cut-json': { read: { says: got('plain text', 200) }, write: { says: got('plain text', 200) } },
	'empty-body': {
		read: { says: got('an empty response', 200) },
		write: { says: got('an empty response', 200) },
	},
	'login-redirect': {
		read: { says: got('a redirect to /login', 302) },
		write: { says: got('a redirect to /login', 302), isCertain: true },
	},
	'limit-exhausted': { read: { isRepeated: true }, write: { isRepeated: true } },
	drip: { read: { isRepeated: true }, write: { says: LATE } },
};

const FAULTS = Object.keys(OUTCOMES) as Array<keyof typeof OUTCOMES>;

interface Subject {
	service: 'link' | 'store';
	effect: 'read' | 'write';
	isPaged?: boolean;
	/** How many requests it sends without a fault. */
	requests: number;
	run(): Promise<{ output: unknown; error?: string | undefined }>;
}

const errorIn = (thrown: unknown): string => {
	const { message, description } = thrown as { message: string; description?: string };
	return [message, description].filter(Boolean).join('. ');
};

const tried = async (work: () => Promise<unknown>) =>
	await work().then(
		(output) => ({ output }),
		(thrown: unknown) => ({ output: undefined, error: errorIn(thrown) }),
	);

/** The account has 51 links, so three pages. */
async function operated(name: string, parameters: IDataObject = {}) {
	const run = name.startsWith('purchase') ? stage.store : stage.link;
	const { json, error } = await run(name, parameters as never);
	return { output: json.length, error: error && errorIn(error) };
}

let linkId = 0;
let code = '';
beforeEach(async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 50);
	linkId = await stage.make('/api/url/add', { url: 'https://example.com/' });
	code = stage.sandbox.store.addPurchase(stage.sandbox.store.addItem(stage.storeAccount.id));
	stage.sandbox.clearRequests();
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => jest.restoreAllMocks());

const SUBJECTS: Record<string, Subject> = {
	'a read': {
		service: 'link',
		effect: 'read',
		requests: 1,
		run: async () => await operated('link.get', { linkId: byId(linkId) }),
	},
	'a list': {
		service: 'link',
		effect: 'read',
		isPaged: true,
		requests: 3,
		run: async () => await operated('link.getAll', { returnAll: true }),
	},
	'a write': {
		service: 'link',
		effect: 'write',
		requests: 1,
		run: async () => await operated('link.create', { url: 'https://example.com/new' }),
	},
	'a purchase code': {
		service: 'store',
		effect: 'read',
		requests: 1,
		run: async () => await operated('purchase.validate', { purchaseCode: code }),
	},
	'a dropdown': {
		service: 'link',
		effect: 'read',
		isPaged: true,
		requests: 1,
		run: async () =>
			await tried(async () => {
				const { credentials } = stage;
				const asked = { type: 'linkManagement', method: 'searchLinks', credentials };
				return (await searchList(asked)).results;
			}),
	},
	'a trigger': {
		service: 'store',
		effect: 'read',
		requests: 1,
		run: async () =>
			await tried(async () => await triggersOf('storeTrigger')(stage, { event: 'newItem' }).test()),
	},
	'a credential test': {
		service: 'store',
		effect: 'read',
		requests: 1,
		run: async () => {
			const { storeApi: data = {} } = stage.credentials;
			const { status, message } = await testCredential('store', 'storeApi', data);
			return status === 'OK' ? { output: status } : { output: undefined, error: message };
		},
	},
};

/** What comes of a fault for a subject. A list is tried with smaller pages. */
const outcomeOf = ({ isPaged, effect }: Subject, fault: (typeof FAULTS)[number]): Outcome =>
	isPaged === true && fault === 'http-500' ? { isRepeated: true } : OUTCOMES[fault][effect];

/** The timeout of the latest request, which a test lets pass at once. */
let latest = new AbortController();

function letTimeoutsPass(): void {
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		latest = new AbortController();
		return latest.signal;
	});
}

describe.each(Object.entries(SUBJECTS))('%s', (_name, subject) => {
	const { service, effect, requests } = subject;
	const faults = FAULTS.filter((fault) => fault !== 'limit-exhausted' || service === 'link');

	test.each(faults)('meets %s', async (fault) => {
		letTimeoutsPass();
		const { output: usual } = await subject.run();
		stage.sandbox.clearRequests();
		stage.sandbox.faults.add({ kind: fault, service, milliseconds: 10 });
		const running = subject.run();
		if (fault === 'drip') {
			while (stage.sandbox.faults.list().length > 0) await sleep(5);
			await sleep(20);
			latest.abort();
		}
		const { output, error } = await running;
		expect(stage.sandbox.faults.list()).toEqual([]);
		const { says, isRepeated = false, isCertain = false } = outcomeOf(subject, fault);
		const [who, Who] =
			service === 'link' ? ['the service', 'The service'] : ['the store', 'The store'];
		if (says === undefined) {
			expect(error).toBeUndefined();
			expect(output).toEqual(usual);
			expect(stage.sandbox.requests).toHaveLength(requests + (isRepeated ? 1 : 0));
			return;
		}
		expect(error).toContain(says.replace(/^%/, Who).replace('%', who));
		expect(error).toMatch(fault.startsWith('http') ? /Try again later/ : ADDRESS_OR_UP);
		const mayBeDone = effect === 'write' && !isCertain;
		expect(error?.includes('It may still have been carried out')).toBe(mayBeDone);
		expect(stage.sandbox.requests).toHaveLength(1);
		expect(error).not.toContain('<html');
	});
});
