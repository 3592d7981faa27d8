import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST_PORT = 20_000;
const FIRST_OUTGOING_PORT = 32_768;

/** Listens on that port of loopback for a moment. @throws Error when it cannot be had */
async function tryPort(port: number): Promise<void> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	server.close();
	await once(server, 'close');
}

/**
 * `count` different ports that were free a moment ago, none of them among those that systems give to outgoing
 * connections: one of these could be taken before anybody listens on it.
 */
export async function freePorts(count: number): Promise<number[]> {
	const found = new Set<number>();
	while (found.size < count) {
		const port = randomInt(LOWEST_PORT, FIRST_OUTGOING_PORT);
		await tryPort(port).then(
			() => found.add(port),
			() => undefined,
		);
	}
	return [...found];
}

/** @param wanted ports, by the option that chooses another: `--port` */
export async function assertPortsFree(wanted: Record<string, number>): Promise<void> {
	for (const [option, port] of Object.entries(wanted)) {
		await tryPort(port).catch((error: unknown) => {
			throw new Error(`Port ${port} cannot be had. Choose another with ${option}.`, {
				cause: error,
			});
		});
	}
}
