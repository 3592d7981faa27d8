import { once } from 'node:events';
import { createServer } from 'node:net';

import { isRecord } from './json.ts';

/** Listens on that port of loopback for a moment, or on a free one. @throws Error when it cannot be had */
async function tryPort(port = 0): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return isRecord(address) ? Number(address.port) : port;
}

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => await tryPort();

/** @param wanted ports, by the option that chooses another: `--port` */
export async function assertPortsFree(wanted: Record<string, number>): Promise<void> {
	const taken: string[] = [];
	for (const [option, port] of Object.entries(wanted))
		await tryPort(port).catch(() => taken.push(option));
	if (taken.length === 0) return;
	const ports = taken.map((option) => wanted[option]).join(', ');
	const options = taken.map((option) => `${option} <number>`).join(' ');
	throw new Error(`These ports cannot be had: ${ports}. Choose others: npm start -- ${options}`);
}
