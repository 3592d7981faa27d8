import { demoAccess } from '../../n8n-host/instance.ts';
import { NO_LIMIT } from '../bench.ts';
import { median } from '../compare.ts';
import { counted } from '../format.ts';
import { startPlainClient } from '../plainClient.ts';
import type { Section } from '../section.ts';

const LINKS = 100_000;
const PER_PAGE = 15;
const PAGES = Math.ceil(LINKS / PER_PAGE);
const REQUESTS = 4000;
const CONNECTIONS = 8;

/** What is asked for, by the number of the request: pages all over the list, the same in each run. */
const KINDS: Record<string, (number: number) => string> = {
	'First page': () => '/api/urls',
	'Any page': (number) => `/api/urls?page=${anyPage(number)}`,
	'Any page, by clicks': (number) => `/api/urls?order=click&page=${anyPage(number)}`,
};

/** How fast the service is that all others ask: so fast that it does not decide what they measure. */
export const service: Section<never> = {
	title: 'The service that answered',
	targets: {},
	async run(bench) {
		const sandbox = await bench.sandbox({ seed: LINKS, rateLimit: NO_LIMIT });
		const { linkUrl: baseUrl, linkApiKey: apiKey } = demoAccess(sandbox);
		const rows = [];
		for (const [kind, path] of Object.entries(KINDS)) {
			const requests = Array.from({ length: REQUESTS }, (_, number) => {
				return { method: 'GET' as const, path: path(number) };
			});
			const client = startPlainClient({ baseUrl, apiKey, requests, connections: CONNECTIONS });
			const times = (await client.times()).sort((a, b) => a - b);
			const seconds = times.reduce((sum, time) => sum + time, 0) / 1000 / CONNECTIONS;
			rows.push([
				kind,
				counted(Math.round(REQUESTS / seconds)),
				median(times).toFixed(1),
				(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(1),
			]);
		}
		return {
			notes: [
				`The sandbox with ${counted(LINKS)} links, asked by a plain program over ${CONNECTIONS} connections: with the nodes, ` +
					'most of the time is spent in n8n.',
			],
			tables: [{ head: ['List', 'Requests per second', 'Median, ms', '99 %, ms'], rows }],
			outcomes: {},
			wrong: [],
		};
	},
};

/** Steps of a prime length lead to every page. */
function anyPage(number: number): number {
	return 1 + ((number * 2741) % PAGES);
}
