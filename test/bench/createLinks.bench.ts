import { startSandbox } from '../../sandbox/sandbox.ts';
import { runNode } from '../engine/engine.ts';

const LINKS = 100;
const LIMIT = { requests: 30, windowSeconds: 2 };

const report: Record<string, number | boolean> = {};

afterAll(() => {
	console.log(`${LINKS} links with ${LIMIT.requests} requests per ${LIMIT.windowSeconds} s`);
	console.table(report);
});

/**
 * Creates 100 links in one node run against a limit of 30 requests per 2 seconds, and compares the time with the least
 * that the limit allows: with 30 requests a window, the hundredth is in the fourth one.
 */
test('creating links keeps up with the rate limit', async () => {
	const sandbox = await startSandbox({ rateLimit: LIMIT });
	try {
		const { apiKey } = await sandbox.register({ email: 'bench@example.com' });
		// From the beginning of a window on, which is a whole second at the sandbox.
		await new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));
		const start = Date.now();
		const { items, error } = await runNode({
			type: 'linkManagement',
			parameters: { resource: 'link', operation: 'create', url: '={{ $json.url }}' },
			rows: Array.from({ length: LINKS }, (_, index) => ({ url: `https://example.com/${index}` })),
			credentials: {
				linkManagementApi: {
					baseUrl: sandbox.linkUrl,
					apiKey,
					requestsPerMinute: 30,
					timezone: 'UTC',
				},
			},
		});
		const seconds = (Date.now() - start) / 1000;
		if (error) throw new Error(error.message);
		const least = (Math.ceil(LINKS / LIMIT.requests) - 1) * LIMIT.windowSeconds;
		const isPaired = items.every(({ pairedItem }, index) => {
			return JSON.stringify(pairedItem) === JSON.stringify({ item: index });
		});
		Object.assign(report, {
			'links created': items.length,
			'paired with their row': isPaired,
			'requests sent': sandbox.requests.length,
			'refused for the limit (429)': sandbox.requests.filter(({ status }) => status === 429).length,
			'seconds taken': seconds,
			'seconds that the limit takes': least,
			'times as long as the limit takes': Number((seconds / least).toFixed(3)),
		});
	} finally {
		await sandbox.stop();
	}
});
