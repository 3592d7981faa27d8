/**
 * A program without n8n that uses the link service: it tells how long the service itself takes to answer, and uses up a
 * part of the limit of a key that others use too. A process of its own, as `startPlainClient` starts it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { isRecord, list, record } from '../n8n-host/json.ts';

/** By which its requests are told from n8n's: what the service refuses, it does not read. */
export const PLAIN_AGENT = 'plain-client';

export interface PlainJob {
	baseUrl: string;
	apiKey: string;
	requests: PlainRequest[];
	/** How many are under way at a time. Default: 1 */
	connections?: number;
	/** Milliseconds between the beginnings of two requests. Default: the next one begins when one has ended */
	everyMs?: number;
}

export interface PlainRequest {
	method: 'GET' | 'POST';
	path: string;
	body?: Record<string, string>;
}

export interface PlainClient {
	/** Milliseconds that each request took, once all were sent. @throws Error when the program failed */
	times(): Promise<number[]>;
	/** Ends it. @throws Error when it had ended by itself */
	stop(): Promise<void>;
}

export function startPlainClient(job: PlainJob): PlainClient {
	const child = spawn(process.execPath, [import.meta.filename], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	child.stdin.end(JSON.stringify(job));
	const output = text(child.stdout);
	const exited = once(child, 'exit');
	return {
		async times() {
			await exited;
			if (child.exitCode !== 0) throw new Error('The plain client failed');
			return list(JSON.parse(await output)).map(Number);
		},
		async stop() {
			if (child.exitCode !== null) throw new Error('The plain client ended too early');
			child.kill('SIGTERM');
			await exited;
		},
	};
}

async function work(job: PlainJob): Promise<number[]> {
	const { connections = 1, everyMs } = job;
	const agent = new Agent({ keepAlive: true });
	const times: number[] = [];
	const waiting = [...job.requests];
	const send = async (next: PlainRequest): Promise<void> => {
		times.push(await timeOf(next, job, agent));
	};
	const client = async (): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			if (everyMs === undefined) await send(next);
			else await Promise.all([sleep(everyMs), send(next)]);
		}
	};
	await Promise.all(Array.from({ length: connections }, client));
	agent.destroy();
	return times;
}

/** Sends a request; milliseconds until its answer was read. */
async function timeOf(
	{ method, path, body }: PlainRequest,
	{ baseUrl, apiKey, everyMs }: PlainJob,
	agent: Agent,
): Promise<number> {
	const started = performance.now();
	const sent = request(`${baseUrl}${path}`, {
		agent,
		method,
		headers: {
			authorization: `Bearer ${apiKey}`,
			'content-type': 'application/json',
			'user-agent': PLAIN_AGENT,
		},
	});
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		sent.once('response', resolve);
		sent.once('error', reject);
		sent.end(body === undefined ? undefined : JSON.stringify(body));
	});
	const answer = record(JSON.parse(await text(response)));
	const isRefused = response.statusCode === 429 && everyMs !== undefined;
	if (Number(answer.error) !== 0 && !isRefused) {
		throw new Error(`${method} ${path} was answered with ${JSON.stringify(answer)}`);
	}
	return performance.now() - started;
}

function isJob(value: unknown): value is PlainJob {
	return isRecord(value) && typeof value.baseUrl === 'string' && Array.isArray(value.requests);
}

if (import.meta.main) {
	const job: unknown = JSON.parse(await text(process.stdin));
	if (!isJob(job)) throw new Error('startPlainClient starts this');
	process.stdout.write(JSON.stringify(await work(job)));
}
