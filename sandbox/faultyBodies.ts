import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FaultKind } from './faults.ts';

type FaultyBody = (body: string, key: string) => string | Readable;

/** What is sent instead of the JSON object `body` after a request with that key; other faults leave it as it is. */
export const FAULTY_BODIES: Partial<Record<FaultKind, FaultyBody>> = {
	'empty-body': () => '',
	'cut-json': (body) => body.slice(0, Math.floor(body.length / 2)),
	'endless-body': () => Readable.from(endlessBlanks()),
	'deep-json': (body) => withMember(body, `${'['.repeat(5000)}${']'.repeat(5000)}`),
	'many-objects': (body) => withMember(body, `[${'{},'.repeat(400_000)}{}]`),
	'long-message': (_body, key) => {
		const message = `${formsOf(key).join(' ')} ${'No. '.repeat(12_500)}`;
		return JSON.stringify({ error: 1, status: 'error', message, msg: message });
	},
	'repeated-key': (body, key) =>
		body.replaceAll(/":"(?!https?:|success|[\d\W])[^"]*/g, `$& ${formsOf(key).join(' ')}`),
	'script-addresses': (body) => body.replaceAll(/"https?:[^"]*"/g, '"javascript:alert(1)"'),
	expressions: (body) => body.replaceAll(/":"(?!success)/g, '":"={{ $env.HOME }}'),
};

const withMember = (body: string, json: string): string => `${body.slice(0, -1)},"more":${json}}`;

function* endlessBlanks(): Generator<Buffer> {
	const compressed = gzipSync(Buffer.alloc(1024 * 1024, ' '));
	for (;;) yield compressed;
}

/** A key as it is, percent-encoded, as JSON of PHP has it, and in Base64. */
export const formsOf = (key: string): string[] => [
	key,
	encodeURIComponent(key),
	JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
	Buffer.from(key).toString('base64'),
];
