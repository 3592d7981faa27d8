/**
 * List requests per second of the link service with 100,000 links. Prints one line per kind of
 * page. Run it with `node test/bench/sandbox.ts`; it takes about fifteen seconds.
 *
 * The service runs in a process of its own, as it does for its users; requests come over
 * keep-alive connections and each answer is checked.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { DEMO } from '../../sandbox/demo.ts';

const LINKS = 100_000;
const PER_PAGE = 15;
const PAGES = Math.ceil(LINKS / PER_PAGE);
const SECONDS = 4;
const CONNECTIONS = 8;

const KINDS: Record<string, () => string> = {
	'first page': () => '/api/urls',
	'any page': () => `/api/urls?page=${1 + Math.floor(Math.random() * PAGES)}`,
	'any page by clicks': () => `/api/urls?order=click&page=${1 + Math.floor(Math.random() * PAGES)}`,
};

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Gets one page; milliseconds it took. */
function get(baseUrl: string, path: string): Promise<number> {
	const started = performance.now();
	return new Promise((resolve, reject) => {
		const sent = request(
			`${baseUrl}${path}`,
			{ agent, headers: { authorization: `Bearer ${DEMO.link.apiKey}` } },
			(response) => {
				let length = 0;
				response.on('data', (chunk: Buffer) => (length += chunk.length));
				response.on('end', () => {
					const isPage = response.statusCode === 200 && length > 1000;
					if (isPage) resolve(performance.now() - started);
					else reject(new Error(`${path} answered ${response.statusCode}, ${length} bytes`));
				});
			},
		);
		sent.on('error', reject);
		sent.end();
	});
}

async function measure(baseUrl: string, path: () => string): Promise<string> {
	const times: number[] = [];
	const started = performance.now();
	const end = started + SECONDS * 1000;
	const client = async (): Promise<void> => {
		while (performance.now() < end) times.push(await get(baseUrl, path()));
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, client));
	const seconds = (performance.now() - started) / 1000;
	times.sort((a, b) => a - b);
	const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
	const rate = Math.round(times.length / seconds);
	return `${String(rate).padStart(6)} requests/s   median ${at(0.5)} ms   99 % ${at(0.99)} ms`;
}

const main = join(import.meta.dirname, '..', '..', 'sandbox', 'main.ts');
const ports = ['--link-port', '0', '--store-port', '0'];
const started = performance.now();
const server = spawn(process.execPath, [main, ...ports, '--seed', String(LINKS), '--limit', '0'], {
	stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
while (!output.includes('Ctrl-C')) {
	const chunks: unknown[] = await once(server.stdout, 'data');
	output += String(chunks[0]);
}
const ready = ((performance.now() - started) / 1000).toFixed(1);
const baseUrl = /Link service +(\S+)/.exec(output)?.[1] ?? '';
console.log(`${LINKS.toLocaleString('en')} links, ${CONNECTIONS} connections, ready in ${ready} s`);
try {
	for (const [kind, path] of Object.entries(KINDS)) {
		console.log(`${kind.padEnd(20)}${await measure(baseUrl, path)}`);
	}
} finally {
	agent.destroy();
	server.kill('SIGTERM');
}
