import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from './accounts.ts';
import { Failure } from './failure.ts';
import { FAULT_KIND_NAMES } from './faults.ts';
import type { Fault, Faults } from './faults.ts';
import { fieldsOf, nonEmpty, readInteger, readRequiredText, readText, readWord } from './input.ts';
import type { Fields } from './input.ts';

/** The commands that a running sandbox accepts, from this machine only. */
export interface Control {
	faults: Faults;
	accounts: Accounts;
}

export const FAULTS_PATH = '/sandbox/faults';
export const ACCOUNTS_PATH = '/sandbox/accounts';
export const KEYS_PATH = '/sandbox/keys';
export const KEY_ACTIONS = ['rotate', 'expire'] as const;
const GREATEST_SKEW = 10 * 365 * 24 * 3600;
export const SERVICES = ['link', 'store'] as const;

export function controlRoutes(app: FastifyInstance, control: Control): void {
	const { faults, accounts } = control;

	const route = (
		method: 'GET' | 'POST' | 'DELETE',
		url: string,
		answer: (fields: Fields) => unknown,
	): void => {
		app.route({
			method,
			url,
			handler(request, reply) {
				try {
					checkLoopback(request);
					return reply.send(answer(fieldsOf(request.body)));
				} catch (error) {
					// The dialect decides the status of failures of the services, but not of these.
					if (!(error instanceof Failure)) throw error;
					return reply.code(error.status).send({ error: 1, message: error.message });
				}
			},
		});
	};

	route('GET', FAULTS_PATH, () => faults.list());
	route('POST', FAULTS_PATH, (fields) => {
		faults.add(readFault(fields));
		return faults.list();
	});
	route('DELETE', FAULTS_PATH, () => {
		faults.clear();
		return faults.list();
	});
	route('POST', ACCOUNTS_PATH, (fields) =>
		accounts.register(
			readWord(fields, 'service', SERVICES),
			readRequiredText(fields, 'email'),
			readText(fields, 'password'),
		),
	);
	route('POST', KEYS_PATH, (fields) => {
		const service = readWord(fields, 'service', SERVICES);
		const email = readRequiredText(fields, 'email');
		return readWord(fields, 'action', KEY_ACTIONS) === 'rotate'
			? accounts.rotateKey(service, email)
			: accounts.expireKey(service, email);
	});
}

/** Checks the address, and the host name, because a web page can reach 127.0.0.1 by a name of its own. */
function checkLoopback(request: FastifyRequest): void {
	const address = request.socket.remoteAddress ?? '';
	const isLocal = /^(::ffff:)?127\./.test(address) || address === '::1';
	const { hostname } = request;
	if (
		!isLocal ||
		!['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ||
		request.headers.origin
	) {
		throw new Failure(403, 'The control address answers this machine only.');
	}
}

function readFault(fields: Fields): Fault {
	const times = readInteger(fields, 'times') ?? 1;
	if (times < 1) throw new Failure(422, 'times must be 1 or more.');
	const milliseconds = readInteger(fields, 'milliseconds');
	if (milliseconds !== undefined && (milliseconds < 0 || milliseconds > 600_000)) {
		throw new Failure(422, 'milliseconds must be from 0 to 600000.');
	}
	const seconds = readInteger(fields, 'seconds');
	if (seconds !== undefined && Math.abs(seconds) > GREATEST_SKEW) {
		throw new Failure(422, `seconds must be from -${GREATEST_SKEW} to ${GREATEST_SKEW}.`);
	}
	return {
		kind: readWord(fields, 'kind', FAULT_KIND_NAMES),
		times,
		service: readText(fields, 'service') ? readWord(fields, 'service', SERVICES) : undefined,
		method: nonEmpty(readText(fields, 'method')),
		path: nonEmpty(readText(fields, 'path')),
		milliseconds,
		seconds,
	};
}
