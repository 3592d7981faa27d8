import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../../sandbox/faults.ts';
import { fixtureOf } from '../../../fixtures.ts';
import { clock, pass } from '../../helpers/clock.ts';
import { prepare, runFixture } from '../../helpers/fixture.ts';
import type { ActiveTrigger, TriggerSettings } from '../../helpers/trigger.ts';
import {
	counted,
	DURABLE,
	testOfDurablePolls,
	triggersOf,
	makeLinks,
} from '../../helpers/trigger.ts';
import { idsOf, inContrastingDialects, like, onStage, Stage } from '../../helpers/support.ts';

const triggerOn = (
	stage: Stage,
	parameters: INodeParameters = {},
	settings: Partial<TriggerSettings> = {},
): ActiveTrigger =>
	triggersOf('linkManagementTrigger')(stage, { event: 'linkCreated', ...parameters }, settings);

/** Each event, and the resource whose list it reads. */
const EVENTS = [
	['campaignCreated', 'campaign'],
	['channelCreated', 'channel'],
	['domainAdded', 'domain'],
	['linkCreated', 'link'],
	['overlayCreated', 'ctaOverlay'],
	['pixelCreated', 'pixel'],
	['qrCodeCreated', 'qrCode'],
	['splashPageCreated', 'splashPage'],
] as const;

inContrastingDialects((stage) => {
	test.each(EVENTS)('%s: what was there is noted, what is new comes once', async (event, name) => {
		const fixture = fixtureOf('linkManagement', `${name}.getAll`);
		const newest = async (count: number) => {
			const { rows } = await prepare(stage, fixture, count);
			const ids = idsOf((await runFixture(stage, fixture, { rows })).json).filter(Number);
			return ids.toSorted((one, other) => Number(one) - Number(other)).slice(-count);
		};
		await newest(1);
		const trigger = triggerOn(stage, { event });
		expect(await trigger.activate()).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.wroteState).toBe(false);
		const made = await newest(2);
		expect(idsOf(await trigger.test())).toEqual([made[1]]);
		const records = await trigger.poll();
		expect(idsOf(records)).toEqual(made);
		for (const record of records) {
			expect(record).not.toHaveProperty('error');
			if (event === 'campaignCreated') expect(record.name).toMatch(/^Campaign/);
		}
		expect(await trigger.poll()).toEqual([]);
	});

	test('emitExisting gives out everything from the beginning, the oldest first', async () => {
		const ids = await makeLinks(stage, 60);
		const trigger = triggerOn(stage, { options: { emitExisting: '={{ 1 }}' } });
		const given = idsOf(await trigger.activate());
		while (given.length < ids.length) given.push(...idsOf(await trigger.poll()));
		expect([given, await trigger.poll()]).toEqual([ids, []]);
	});

	test('includeDetails fetches each new record, and nothing else', async () => {
		const options = { includeDetails: '={{ "true" }}' };
		await makeLinks(stage, 2);
		const trigger = triggerOn(stage, { options });
		await trigger.activate();
		const made = await makeLinks(stage, 2);
		const [records, requests] = await counted(stage, () => trigger.poll());
		expect(requests).toBe(3);
		const details = { expiry: null, location: {}, device: {}, statistics: { clicks: 0 } };
		expect(records).toMatchObject(made.map((id) => ({ id, alias: like(/./), ...details })));
		expect(await counted(stage, () => trigger.poll())).toEqual([[], 1]);
		const codes = triggerOn(stage, { event: 'qrCodeCreated', options });
		await codes.activate();
		const id = await stage.make('/api/qr/add', { type: 'text', data: 'Text' });
		const code = { id, link: like(/^http/), scans: 0, statistics: { clicks: 0 } };
		expect(await codes.poll()).toMatchObject([code]);
	});
});

test('300 channels that are listed by name, on several pages, come once each', async () => {
	const count = 300;
	await using stage = await Stage.opened({ listOrder: 'name', maxLimit: '25' });
	const make = async (n: number) =>
		await stage.make('/api/channel/add', { name: `${(n * 7) % 400}`, starred: n % 5 === 0 });
	for (let n = 0; n < count; n += 1) await make(n);
	const trigger = triggerOn(stage, { event: 'channelCreated' });
	expect(await trigger.activate()).toEqual([]);
	const made = [await make(count), await make(count + 1), await make(count + 2)];
	expect([idsOf(await trigger.poll()), await trigger.poll()]).toEqual([made, []]);
});

const stage = onStage(new Stage());

const refused = (status: number, message: string): Partial<Fault> => ({
	status,
	body: { error: 1, message },
});

test.each<[what: string, fault: Partial<Fault>, link: object]>([
	['no response, twice', { kind: 'drop-before', times: 99 }, { details_error: like(/closed/) }],
	['a missing record', refused(404, 'Gone'), { details_error: 'Gone' }],
	['a refused key', refused(401, 'No'), { statistics: { clicks: 0 } }],
	['a key that may not read them', refused(403, 'No'), { details_error: 'No' }],
])('a link whose details fail with %s comes once', async (_what, fault, link) => {
	const trigger = triggerOn(stage, { options: { includeDetails: true } });
	await trigger.activate();
	// The details of other links would prove key and account.
	const made = await makeLinks(stage, 'statistics' in link ? 1 : 3);
	const [id = 0] = made;
	stage.sandbox.faults.add({ kind: 'respond', path: `/api/url/${id}`, times: 1, ...fault });
	const given: IDataObject[] = [];
	for (let polls = 0; polls < 4; polls += 1) given.push(...(await trigger.poll().catch(() => [])));
	expect(idsOf(given).toSorted()).toEqual(made.toSorted());
	expect(given.find((record) => record.id === id)).toMatchObject(link);
});

test.each(['linkCreated', 'linkClicked'])(
	'an activation that reads nothing fails: %s',
	async (event) => {
		await using busy = await Stage.opened('installed', {
			rateLimit: { requests: 1, windowSeconds: 3600 },
		});
		await busy.api('GET /api/account');
		const trigger = triggerOn(busy, { event });
		await expect(trigger.activate()).rejects.toThrow(/rate limit/i);
		expect(trigger.state).toEqual({});
	},
);

test('a poll sends 20 requests at most, and one for the account', async () => {
	await using large = await Stage.opened({ maxLimit: '7' });
	await makeLinks(large, 150);
	const trigger = triggerOn(large, { options: { emitExisting: true } });
	const [, requests] = await counted(large, () => trigger.activate());
	expect(requests).toBe(21);
});

test('domains that every account shares are on each page, and are no new record', async () => {
	await using few = await Stage.opened({ sharedDomains: 'listed', maxLimit: '7' });
	const make = async (n: number) =>
		await few.make('/api/domain/add', { domain: `https://d${n}.example.com` });
	const trigger = triggerOn(few, { event: 'domainAdded' });
	await trigger.activate();
	const made: number[] = [];
	for (let n = 1; n <= 9; n += 1) made.push(await make(n));
	expect(idsOf(await trigger.poll())).toEqual(made);
	expect(await trigger.poll()).toEqual([]);
});

testOfDurablePolls('a poll ends before n8n gives it up, and keeps what it has', async () => {
	let requestMs = 5000;
	await using slow = await Stage.opened('installed', { onRequest: () => pass(requestMs) });
	const trigger = triggerOn(slow, {}, { budgetMs: 50_000 });
	await trigger.activate();
	slow.sandbox.links.addLinks(slow.linkAccount.id, 1500, 0);
	const began = clock();
	const records = await trigger.poll();
	expect(clock() - began).toBeLessThanOrEqual(50_000);
	expect(records.length).toBeGreaterThan(0);
	expect(records.length).toBeLessThan(1500);
	requestMs = 0;
	const rest = await trigger.poll();
	expect(new Set([...idsOf(records), ...idsOf(rest)]).size).toBe(1500);
});

test('the state tells no secret, stays small in an account of 2,000 links, and is left alone by a test', async () => {
	stage.sandbox.links.addLinks(stage.linkAccount.id, 2000);
	const trigger = triggerOn(stage);
	// The account, too.
	expect(await counted(stage, () => trigger.activate())).toEqual([[], 2]);
	expect(await counted(stage, () => trigger.poll())).toEqual([[], 1]);
	const { state } = trigger;
	const [shown] = await trigger.test();
	expect(shown).toMatchObject({ title: 'Article 2000' });
	expect(trigger.state).toEqual(state);
	const stored = JSON.stringify(trigger.stored);
	expect(stored.length).toBeLessThan(200);
	expect(stored).not.toContain(stage.linkAccount.apiKey);
	expect(stored).not.toContain('127.0.0.1');
});

test('a trigger starts over with another event', async () => {
	const trigger = triggerOn(stage, { event: 'campaignCreated' });
	await trigger.activate();
	await makeLinks(stage, 1);
	trigger.change({ parameters: { event: 'linkCreated' } });
	expect(await trigger.activate()).toEqual([]);
	const made = await makeLinks(stage, 1);
	expect(idsOf(await trigger.poll())).toEqual(made);
});

const HANDED_OVER = ['linkCreated', 'linkClicked'].flatMap((event) =>
	DURABLE.map((isDurable) => ({ event, isDurable })),
);

describe.each(HANDED_OVER)('of $event, durable cursors: $isDurable', ({ event, isDurable }) => {
	let trigger: ActiveTrigger;
	const poll = async () => idsOf(await trigger.poll());

	/** A link is made and clicked; it must be told once. */
	const news = async () => {
		const [id = 0] = await makeLinks(stage, 1);
		stage.sandbox.links.addVisits('link', id, 3);
		return [id];
	};

	beforeEach(async () => {
		await makeLinks(stage, 3);
		trigger = triggerOn(stage, { event }, { isDurable });
		await trigger.activate();
	});

	test('a poll that takes longer than a minute is not joined by the next one', async () => {
		const told = await news();
		stage.sandbox.faults.add({ kind: 'delay', milliseconds: 200 });
		expect((await Promise.all([poll(), poll()])).flat()).toEqual(told);
		expect(await poll()).toEqual([]);
	});

	if (!isDurable) return;

	describe.each(['the activation', 'a poll'])('after %s', (last) => {
		beforeEach(async () => {
			if (last === 'a poll') await poll();
		});

		test('a poll that n8n starts before it stored the last one waits for that', async () => {
			const first = await news();
			trigger.storing = 'pending';
			expect([await poll(), await poll()]).toEqual([first, []]);
			trigger.storePending();
			const second = await news();
			trigger.storing = 'done';
			expect([await poll(), await poll()]).toEqual([second, []]);
		});

		test('what n8n drops instead of storing it is told again', async () => {
			const told = await news();
			trigger.storing = 'failed';
			for (let tries = 0; tries < 2; tries += 1)
				expect([await poll(), await poll()]).toEqual([told, []]);
			trigger.storing = 'done';
			stage.sandbox.faults.add({ kind: 'http-500', times: 2 });
			await expect(trigger.poll()).rejects.toThrow();
			expect([await poll(), await poll()]).toEqual([told, []]);
		});
	});
});
