import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/faults.ts';
import { byId, onStage, Stage } from '../helpers/support.ts';
import { triggersOf } from '../helpers/trigger.ts';

/** Everything that sends requests meets every fault of the sandbox: how many requests arrive, and what people read. */

/** Never reached, but by the program that uses it up. */
const RATE_LIMIT = { requests: 1000, windowSeconds: 20 };

const triggerOn = triggersOf('linkManagementTrigger');
const stage = onStage(new Stage({ maxLimit: '25' }, { rateLimit: RATE_LIMIT, renewsKey: true }));

const LOST = 'No response from the service: the connection was closed before the response';
const got = (what: string): string => `Expected a response from the service, but got ${what}`;
const PAGE = got('a web page (status 500)');
const AWAY = 'The service is not available (status 503)';

/** How many requests more a read takes, or what people read; then of a write, and of a list if that is another. */
const OUTCOMES: Array<
	[fault: FaultKind, read: number | string, write: number | string, list?: number | string]
> = [
	['delay', 0, 0],
	['drop-before', 1, LOST],
	['drop-after', 1, LOST],
	// A list is tried with smaller pages.
	['http-500', PAGE, PAGE, 1],
	['http-503', 1, AWAY],
	['cut-json', got('plain text (status 200)'), got('plain text (status 200)')],
	['empty-body', got('an empty response (status 200)'), got('an empty response (status 200)')],
	['login-redirect', got('a redirect to /login (status 302)'), got('a redirect to /login')],
	['limit-exhausted', 1, 1],
];

const errorIn = (thrown: unknown): string => {
	const { message, description } = thrown as { message: string; description?: string };
	return [message, description].filter(Boolean).join('. ');
};

async function operated(name: string, parameters: INodeParameters) {
	const { json, error } = await stage.link(name, parameters);
	if (error) throw new Error(errorIn(error));
	return json.length;
}

let linkId = 0;
beforeEach(async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 50);
	linkId = await stage.make('/api/url/add', { url: 'https://example.com/' });
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => jest.restoreAllMocks());

async function testedCredential() {
	const { status, message } = await stage.testCredential('linkManagement');
	if (status !== 'OK') throw new Error(message);
	return status;
}

/**
 * What sends requests, its kind, how many it sends without a fault, and what rejects with what people read. The account has 51 links,
 * so three pages; a trigger asks for the account, too.
 */
const SUBJECTS: Array<[string, 'read' | 'write' | 'list', number, () => Promise<unknown>]> = [
	['a read', 'read', 1, () => operated('link.get', { linkId: byId(linkId) })],
	['a list', 'list', 3, () => operated('link.getAll', { returnAll: true })],
	['a write', 'write', 1, () => operated('campaign.create', { campaignName: 'New' })],
	['a dropdown', 'list', 1, async () => (await stage.search('searchCampaigns')).results],
	['a trigger', 'list', 2, () => triggerOn(stage, { event: 'channelCreated' }).activate()],
	['a credential test', 'read', 2, testedCredential],
];

const ADDRESS_OR_UP = /Check the (base URL in the credential|address, and that the service is up)/;

describe.each(SUBJECTS)('%s', (_name, kind, requests, run) => {
	test.each(OUTCOMES)('meets %s', async (fault, read, write, list = read) => {
		const usual = await run();
		// A dropdown keeps its page for a while, except with another key.
		stage.renewKey();
		stage.sandbox.clearRequests();
		stage.sandbox.faults.add({ kind: fault, service: 'link', milliseconds: 10 });
		let error: string | undefined;
		const output = await run().catch((thrown: unknown) => void (error = errorIn(thrown)));
		expect(stage.sandbox.faults.waiting).toEqual([]);
		const outcome = { read, write, list }[kind];
		if (typeof outcome === 'number') {
			expect([error, output]).toEqual([undefined, usual]);
			expect(stage.sent()).toHaveLength(requests + outcome);
			return;
		}
		expect(stage.sent()).toHaveLength(1);
		expect(error).toContain(outcome);
		expect(error).toMatch(fault.startsWith('http') ? /Try again later/ : ADDRESS_OR_UP);
		const mayBeDone = kind === 'write' && fault !== 'login-redirect';
		expect(error?.includes('It may still have been carried out')).toBe(mayBeDone);
	});
});
