import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { ActiveTrigger } from '../../engine/trigger.ts';
import type { SandboxAccess } from '../../n8n-host/instance.ts';
import { linksOf, NO_LIMIT } from '../bench.ts';
import { loadEngine } from '../engine.ts';
import { counted, differing, inTurns, median, ratios, withSpread } from '../figures.ts';
import type { Section } from '../section.ts';
import { always, atMost, Tally } from '../section.ts';

const SMALLEST = 100;
const LARGEST = 100_000;
const SIZES = [SMALLEST, 10_000, LARGEST];
const ROUNDS = 9;
const POLLS_EACH = 10;
const MOST_TIMES_SMALLEST = 1.5;
const BACKLOG = 10_000;

export const trigger: Section = {
	title: 'Polling for new links',
	async run(bench) {
		const sandbox = await bench.sandbox({ rateLimit: NO_LIMIT });
		const steady = await pollSteadily(sandbox);
		const backlog = await drain(sandbox);
		const tally = new Tally();
		tally.expect('links lost', backlog.lost);
		tally.expect('links repeated', backlog.repeated);
		return {
			notes: [
				`_Link Created_ in n8n's engine, within the process that measures, because n8n itself polls once a minute at most. ` +
					`The service has no limit. ${ROUNDS} rounds of ${POLLS_EACH} polls for each size of account, in turns.`,
				`The backlog is ${counted(BACKLOG)} links made between two polls. A poll sends at most 20 requests, so that n8n, ` +
					'which polls every minute, has it all after as many minutes as polls are listed here.',
			],
			tables: [
				{
					head: ['Links', 'Requests per poll', 'ms per poll', `Time ÷ that with ${SMALLEST}`],
					rows: steady.map(({ links, requests, times, timesSmallest }) => [
						counted(links),
						differing(requests),
						median(times).toFixed(1),
						withSpread(timesSmallest),
					]),
				},
				{
					head: ['New links', 'Polls', 'Requests', 'Lost', 'Repeated'],
					rows: [
						[counted(BACKLOG), backlog.polls, backlog.requests, backlog.lost, backlog.repeated],
					],
				},
			],
			targets: [
				always(
					'A poll that finds nothing: requests, with however many links',
					1,
					steady.flatMap(({ requests }) => requests),
				),
				atMost(
					`A poll that finds nothing: time with ${counted(LARGEST)} links ÷ with ${SMALLEST}`,
					MOST_TIMES_SMALLEST,
					steady.at(-1)?.timesSmallest ?? [],
				),
				always(`${counted(BACKLOG)} new links at once: lost`, 0, [backlog.lost]),
				always(`${counted(BACKLOG)} new links at once: repeated`, 0, [backlog.repeated]),
			],
			wrong: tally.wrong,
		};
	},
};

interface Account {
	id: number;
	access: SandboxAccess;
	active: ActiveTrigger;
}

let accounts = 0;

/** An account with that many links, and a trigger that has noted them. */
async function newAccount(sandbox: Sandbox, links: number): Promise<Account> {
	accounts += 1;
	const { ActiveTrigger } = await loadEngine();
	const { id, apiKey } = await sandbox.register({ email: `trigger-${accounts}@example.com` });
	sandbox.links.addLinks(id, links);
	const { linkUrl, storeUrl } = sandbox;
	const active = new ActiveTrigger({
		type: 'linkManagementTrigger',
		parameters: { event: 'linkCreated' },
		credentials: {
			linkManagementApi: { baseUrl: linkUrl, apiKey, requestsPerMinute: 0, timezone: 'UTC' },
		},
	});
	await active.activate();
	return { id, access: { linkUrl, linkApiKey: apiKey, storeUrl, storeApiKey: '' }, active };
}

interface Steady {
	links: number;
	/** Of a poll, round by round */
	requests: number[];
	/** Milliseconds of a poll, round by round */
	times: number[];
	/** Time ÷ that with the fewest links */
	timesSmallest: number[];
}

async function pollSteadily(sandbox: Sandbox): Promise<Steady[]> {
	const ways = [];
	for (const links of SIZES) {
		const { active } = await newAccount(sandbox, links);
		ways.push(async () => {
			sandbox.clearRequests();
			const started = performance.now();
			for (let poll = 1; poll <= POLLS_EACH; poll += 1) {
				const found = await active.poll();
				if (found.length > 0) throw new Error('A poll found links where none were made');
			}
			return {
				requests: sandbox.requests.length / POLLS_EACH,
				milliseconds: (performance.now() - started) / POLLS_EACH,
			};
		});
	}
	const polls = await inTurns(ROUNDS, ways);
	const times = polls.map((ofSize) => ofSize.map(({ milliseconds }) => milliseconds));
	return SIZES.map((links, index) => ({
		links,
		requests: (polls[index] ?? []).map(({ requests }) => requests),
		times: times[index] ?? [],
		timesSmallest: ratios(times[index], times[0]),
	}));
}

interface Drained {
	polls: number;
	requests: number;
	lost: number;
	repeated: number;
}

async function drain(sandbox: Sandbox): Promise<Drained> {
	const { id, access, active } = await newAccount(sandbox, SMALLEST);
	const before = new Set((await linksOf(access)).map((link) => link.id));
	// All made now: the service lists them by date.
	sandbox.links.addLinks(id, BACKLOG, 0);
	const expected = (await linksOf(access)).map((link) => link.id).filter((it) => !before.has(it));
	sandbox.clearRequests();
	const given: unknown[] = [];
	let polls = 0;
	for (let found = -1; found !== 0; polls += 1) {
		const links = await active.poll();
		given.push(...links.map((link) => link.id));
		found = links.length;
	}
	const different = new Set(given);
	return {
		// The last one found nothing.
		polls: polls - 1,
		requests: sandbox.requests.length - 1,
		lost: expected.filter((it) => !different.has(it)).length,
		repeated: given.length - different.size,
	};
}
