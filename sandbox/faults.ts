import { type Fields, nonEmpty, readInteger, readText, readWord } from './input.ts';
import { type ServiceName, SERVICES } from './recorder.ts';

/** The faults that can be ordered, and what each does to a request. */
export const FAULT_KINDS = {
	delay: 'waits before the request is handled (milliseconds)',
	'drop-before': 'closes the connection without handling the request',
	'drop-after': 'handles the request, then closes the connection without a response',
	'http-500': 'responds with 500 and an HTML page, without handling the request',
	'http-502': 'responds with 502 and an HTML page, without handling the request',
	'http-503': 'responds with 503 and an HTML page, without handling the request',
	'cut-json': 'handles the request, then sends half of the JSON',
	'empty-body': 'handles the request, then responds with an empty body',
	'login-redirect': 'redirects to a login page, without handling the request',
	'skewed-clock': 'responds as if the clock were ahead (seconds; negative: behind)',
	'limit-exhausted': 'another client has used up the rate limit window (link service)',
	'endless-body': 'handles the request, then sends a compressed body without end',
	'drip-headers': 'sends a header byte by byte without end, without handling the request',
	'drip-body': 'sends a body byte by byte without end, without handling the request',
	'deep-json': 'adds a list nested 5,000 levels deep to the response',
	'many-objects': 'adds 400,000 empty objects to the response',
	'long-message': 'handles the request, then refuses it with the key and a message of 50 kB',
	'repeated-key': 'appends the key in several encodings to the texts of the response',
	'script-addresses': 'replaces web addresses in the response by javascript:alert(1)',
	expressions: 'begins the texts of the response with an n8n expression',
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;
const isFaultKind = (kind: string): kind is FaultKind => Object.hasOwn(FAULT_KINDS, kind);
export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS).filter(isFaultKind);

export interface Fault {
	kind: FaultKind;
	/** How many matching requests suffer it; default 1. */
	times?: number | undefined;
	/** Only requests of this service and method; default: any. */
	service?: ServiceName | undefined;
	method?: string | undefined;
	/** Only requests of this path, which may be written as in the documents, `/api/url/:id`; default: any. */
	path?: string | undefined;
	/** `delay` only; default 1000. */
	milliseconds?: number | undefined;
	/** `skewed-clock` only; default 3600. */
	seconds?: number | undefined;
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

	/** The faults not yet used up, with how many requests each still waits for. */
	list(): Fault[] {
		return this.#waiting.map(({ fault, left }) => ({ ...fault, times: left }));
	}

	/** Takes the fault that this request suffers, if any. */
	take(service: ServiceName, method: string, path: string): Fault | undefined {
		const hit = this.#waiting.find(
			({ fault }) =>
				(fault.service ?? service) === service &&
				(fault.method?.toUpperCase() ?? method) === method &&
				(fault.path === undefined || matches(fault.path, path)),
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

/** A fault as the command line orders it. */
export function readFault(fields: Fields): Fault {
	return {
		kind: readWord(fields, 'kind', FAULT_KIND_NAMES),
		times: readInteger(fields, 'times'),
		service: readText(fields, 'service') ? readWord(fields, 'service', SERVICES) : undefined,
		method: nonEmpty(readText(fields, 'method')),
		path: nonEmpty(readText(fields, 'path')),
		milliseconds: readInteger(fields, 'milliseconds'),
		seconds: readInteger(fields, 'seconds'),
	};
}
