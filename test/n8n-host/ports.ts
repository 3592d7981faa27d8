import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
const LOWEST_PORT = 20_000;
const FIRST_OUTGOING_PORT = 32_768;

/** Opens one listener on loopback; the caller closes it. */
async function listen(port: number): Promise<{ close: () => Promise<void> }> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, LOOPBACK, resolve);
	});
	return {
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
}

/**
 * `count` different ports that were free a moment ago, none of them among those that systems give to outgoing
 * connections: one of these could be taken before anybody listens on it.
 */
export async function freePorts(count: number): Promise<number[]> {
	const found = new Set<number>();
	while (found.size < count) {
		const port = randomInt(LOWEST_PORT, FIRST_OUTGOING_PORT);
		const listener = await listen(port).catch(() => undefined);
		if (listener === undefined) continue;
		await listener.close();
		found.add(port);
	}
	return [...found];
}

export interface PortClaim {
	port: number;
	/** Who wants it, for the message: `n8n` */
	purpose: string;
	/** How to choose another, for the message: `--port` */
	option?: string;
}

/**
 * Fails in one readable line, before anything has been started, when a port cannot be had.
 *
 * @throws Error naming the port, its purpose and the option that chooses another
 */
export async function assertPortsFree(claims: PortClaim[]): Promise<void> {
	const holders = new Map<number, string>();
	for (const { port, purpose, option } of claims) {
		const remedy = option === undefined ? '' : ` Choose another with ${option}.`;
		const other = holders.get(port);
		if (other !== undefined) {
			throw new Error(`Port ${port} is wanted for both ${other} and ${purpose}.${remedy}`);
		}
		holders.set(port, purpose);
		try {
			await (await listen(port)).close();
		} catch (error) {
			const reason = isBusy(error)
				? 'is already in use by another program'
				: `cannot be opened (${error instanceof Error ? error.message : String(error)})`;
			throw new Error(`Port ${port}, wanted for ${purpose}, ${reason}.${remedy}`, { cause: error });
		}
	}
}

function isBusy(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
