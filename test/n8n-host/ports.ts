import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** Opens one listener on loopback; the caller closes it. Port 0 lets the system choose. */
async function listen(port: number): Promise<{ port: number; close: () => Promise<void> }> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, LOOPBACK, resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port was given');
	return {
		port: address.port,
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
}

/** `count` different ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
	const listeners = await Promise.all(Array.from({ length: count }, async () => await listen(0)));
	await Promise.all(listeners.map(async (listener) => await listener.close()));
	return listeners.map(({ port }) => port);
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
