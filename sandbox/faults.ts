import type { ServiceName } from './recorder.ts';

/** What can be made to go wrong, and what it does to a request. */
export const FAULT_KINDS = {
	respond: 'responds with a status, headers and a body that are ordered',
	'http-500': 'responds with 500 and an HTML page, without handling the request',
	'http-502': 'responds with 502 and an HTML page, without handling the request',
	'http-503': 'responds with 503 and an HTML page, without handling the request',
	'login-redirect': 'redirects to a login page, without handling the request',
	'cut-json': 'handles the request, then sends half of the JSON',
	'empty-body': 'handles the request, then responds with an empty body',
	delay: 'waits before the request is handled (milliseconds)',
	'drop-before': 'closes the connection without handling the request',
	'drop-after': 'handles the request, then closes the connection without a response',
	drip: 'sends a body byte by byte without end, without handling the request',
	'limit-exhausted': 'another client has used up the rate limit window (link service)',
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;
const isFaultKind = (kind: string): kind is FaultKind => Object.hasOwn(FAULT_KINDS, kind);
export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS).filter(isFaultKind);

/** A response that is sent in place of that of the service. */
export interface OrderedResponse {
	/** Default: 200. */
	status?: number | undefined;
	headers?: Record<string, string> | undefined;
	/** Sent without handling the request: a text, a file, or a value as JSON. */
	body?: unknown;
	/** Changes the body of the service's own response instead. */
	change?: ((body: string) => string) | undefined;
}

export interface Fault extends OrderedResponse {
	kind: FaultKind;
	/** How many matching requests suffer it; default 1. */
	times?: number | undefined;
	/** Only requests of this service and method; default: any. */
	service?: ServiceName | undefined;
	method?: string | undefined;
	/** Only requests of this path, which may be written as in the documents, `/api/url/:id`; default: any of the APIs. */
	path?: string | undefined;
	/** Only requests with these parameters in their query. */
	query?: Record<string, string> | undefined;
	/** `delay` only; default 1000. */
	milliseconds?: number | undefined;
}

const page = (status: number): OrderedResponse => ({
	status,
	headers: { 'content-type': 'text/html; charset=utf-8' },
	body: `<!doctype html><html><h1>Error ${status}</h1></html>`,
});

const RESPONSES: Partial<Record<FaultKind, OrderedResponse>> = {
	'http-500': page(500),
	'http-502': page(502),
	'http-503': page(503),
	'login-redirect': { status: 302, headers: { location: '/login' }, body: '' },
	'cut-json': { change: (body) => body.slice(0, Math.floor(body.length / 2)) },
	'empty-body': { change: () => '' },
};

/** What a fault sends in place of the response of the service, if it does. */
export function responseOf(fault: Fault | undefined): OrderedResponse | undefined {
	if (!fault) return undefined;
	return fault.kind === 'respond' ? fault : RESPONSES[fault.kind];
}

/** The faults that wait for their requests. A request suffers only the first one that matches. */
export class Faults {
	#waiting: Array<{ fault: Fault; left: number }> = [];

	add(fault: Fault): void {
		this.#waiting.push({ fault, left: fault.times ?? 1 });
	}

	clear(): void {
		this.#waiting = [];
	}

	/** The faults that still wait. */
	list(): Fault[] {
		return this.#waiting.map(({ fault }) => fault);
	}

	/** Takes the fault that this request suffers, if any. */
	take(
		service: ServiceName,
		method: string,
		path: string,
		query: Record<string, string>,
	): Fault | undefined {
		const hit = this.#waiting.find(
			({ fault }) =>
				(fault.service ?? service) === service &&
				(fault.method?.toUpperCase() ?? method) === method &&
				(fault.path === undefined ? path.startsWith('/api/') : matches(fault.path, path)) &&
				Object.entries(fault.query ?? {}).every(([name, value]) => query[name] === value),
		);
		if (!hit) return undefined;
		hit.left -= 1;
		if (hit.left <= 0) this.#waiting = this.#waiting.filter((waiting) => waiting !== hit);
		return hit.fault;
	}
}

/** Whether a path matches a documented one, whose placeholders match any segment. */
function matches(pattern: string, path: string): boolean {
	const segments = path.split('/');
	const expected = pattern.split('/');
	return (
		segments.length === expected.length &&
		expected.every((segment, index) => segment.startsWith(':') || segment === segments[index])
	);
}
