import type { LoopbackServer } from './loopback.ts';
import { serve } from './loopback.ts';

/** A web site that answers every request with a page: what somebody finds who mistypes an address. */
export type Website = LoopbackServer;

export async function startWebsite(): Promise<Website> {
	return await serve((_request, response) => {
		response.setHeader('content-type', 'text/html');
		response.end('<!doctype html><title>Welcome</title><h1>Welcome</h1>');
	});
}
