import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

import type { Sandbox } from '../../sandbox/sandbox.ts';
import { linksOf } from '../e2e/stage.ts';
import type { ActiveTrigger } from '../engine/trigger.ts';
import { inTurns, NO_LIMIT } from './bench.ts';
import type { Section } from './report.ts';
import { always, atMost, counted, differing, median, ratios, withSpread } from './report.ts';

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
		const { polls, requests, lost, repeated } = await drain(sandbox);
		return {
			notes: [
				`_Link Created_ in n8n's engine, in the measuring process, because n8n itself polls at most once a minute. ` +
					`The service has no limit. ${ROUNDS} rounds of ${POLLS_EACH} polls per account size, in turns.`,
				`The backlog is ${counted(BACKLOG)} links made between two polls. A poll sends at most 20 requests, ` +
					'so n8n, which polls every minute, needs one minute per poll in this table.',
			],
			tables: [
				{
					head: ['Links', 'Requests per poll', 'ms per poll', `Time ÷ that with ${SMALLEST}`],
					rows: steady.map((size) => [
						counted(size.links),
						differing(size.requests),
						median(size.times).toFixed(1),
						withSpread(size.timesSmallest),
					]),
				},
				{
					head: ['New links', 'Polls', 'Requests', 'Lost', 'Repeated'],
					rows: [[counted(BACKLOG), polls, requests, lost, repeated]],
				},
			],
			targets: [
				always(
					'A poll that finds nothing: requests, with however many links',
					1,
					steady.flatMap((size) => size.requests),
				),
				atMost(
					`A poll that finds nothing: time with ${counted(LARGEST)} links ÷ with ${SMALLEST}`,
					MOST_TIMES_SMALLEST,
					steady.at(-1)?.timesSmallest ?? [],
				),
				always(`${counted(BACKLOG)} new links at once: lost`, 0, [lost]),
				always(`${counted(BACKLOG)} new links at once: repeated`, 0, [repeated]),
			],
		};
	},
};

/** An account with that many links, and a trigger that has noted them. */
async function newAccount(sandbox: Sandbox, links: number, email: string) {
	const { ActiveTrigger } = await loadEngine();
	const { id, apiKey } = await sandbox.register({ email });
	sandbox.links.addLinks(id, links);
	const { linkUrl } = sandbox;
	const active = new ActiveTrigger({
		type: 'linkManagementTrigger',
		parameters: { event: 'linkCreated' },
		credentials: {
			linkManagementApi: { baseUrl: linkUrl, apiKey, requestsPerMinute: 0, timezone: 'UTC' },
		},
	});
	await active.activate();
	return { id, access: { linkUrl, linkApiKey: apiKey }, active };
}

/** Requests and milliseconds of a poll that finds nothing, round by round. */
async function pollSteadily(sandbox: Sandbox) {
	const ways = [];
	for (const links of SIZES) {
		const { active } = await newAccount(sandbox, links, `with-${links}@example.com`);
		ways.push(async () => {
			sandbox.clearRequests();
			const started = performance.now();
			for (let poll = 1; poll <= POLLS_EACH; poll += 1) {
				const found = await active.poll();
				if (found.length > 0) throw new Error('A poll found links where none were made');
			}
			const ms = (performance.now() - started) / POLLS_EACH;
			return { requests: sandbox.requests.length / POLLS_EACH, ms };
		});
	}
	const polls = await inTurns(ROUNDS, ways);
	const times = polls.map((ofSize) => ofSize.map(({ ms }) => ms));
	return SIZES.map((links, index) => ({
		links,
		requests: (polls[index] ?? []).map(({ requests }) => requests),
		times: times[index] ?? [],
		timesSmallest: ratios(times[index], times[0]),
	}));
}

/** What comes of many links that are made between two polls. */
async function drain(sandbox: Sandbox) {
	const { id, access, active } = await newAccount(sandbox, SMALLEST, 'backlog@example.com');
	const linkIds = async () => (await linksOf(access)).map((link) => link.id);
	const before = new Set(await linkIds());
	// All made now: the service lists them by date.
	sandbox.links.addLinks(id, BACKLOG, 0);
	const expected = (await linkIds()).filter((it) => !before.has(it));
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

/**
 * n8n's own engine in this process, as the engine tests have it. Its packages load as CommonJS only, so whoever imports
 * them is given that.
 */
async function loadEngine(): Promise<{ ActiveTrigger: typeof ActiveTrigger }> {
	const { resolve } = createRequire(import.meta.url);
	const entries = new Map(
		['n8n-core', 'n8n-workflow'].map((name) => [name, pathToFileURL(resolve(name)).href]),
	);
	registerHooks({
		resolve(specifier, context, next) {
			const url = entries.get(specifier);
			return url === undefined
				? next(specifier, context)
				: { url, format: 'commonjs', shortCircuit: true };
		},
	});
	return await import('../engine/trigger.ts');
}
