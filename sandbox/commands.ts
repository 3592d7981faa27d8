import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { Accounts } from './accounts.ts';
import { ACCOUNTS_PATH, FAULTS_PATH, KEYS_PATH, KEY_ACTIONS, SERVICES } from './control.ts';
import { openDatabase } from './database.ts';
import {
	CHOICES,
	CHOICE_NAMES,
	CLOCK_SKEW,
	DIALECT_NAMES,
	DIALECT_SUMMARIES,
	presetDialect,
} from './dialects.ts';
import type { Dialect, DialectName } from './dialects.ts';
import { FAULT_KINDS, FAULT_KIND_NAMES } from './faults.ts';
import type { RecordedRequest, ServiceName } from './recorder.ts';
import { DEMO, startSandbox } from './sandbox.ts';

const DEFAULT_PORTS = { link: 4010, store: 4011 };
const MOST_LINKS = 100_000;

interface ServeOptions extends Partial<Omit<Dialect, 'clockSkew'>> {
	linkPort: number;
	storePort: number;
	database: string;
	dialect: DialectName;
	clockSkew?: number;
	limit: number;
	window: number;
	seed: 'none' | 'demo' | number;
	showRequests?: boolean;
}

/** The command line. A wrong use of it ends the process with status 1 and a message of one line. */
export function createCommand(): Command {
	return new Command('sandbox')
		.description(
			'Runs a link management service and a store on this machine, as their API documents describe them.\nWithout a command, serves both until Ctrl-C.',
		)
		.showHelpAfterError('(--help shows every option)')
		.addCommand(serveCommand(), { isDefault: true })
		.addCommand(registerCommand())
		.addCommand(keyCommand())
		.addCommand(faultCommand())
		.addHelpText('after', `\n${EXAMPLES}`);
}

const EXAMPLES = `Examples:
  sandbox                                        both services with demo accounts
  sandbox serve --help                           every option and setting of the services
  sandbox --dialect awkward                      both services with misleading responses
  sandbox --database sandbox.db --seed 100000    a large account, stored in a file
  sandbox register ada@example.com               a new account on the running sandbox
  sandbox key rotate ada@example.com             a new key for it; the old one is refused
  sandbox fault http-503 --times 3               the next three requests fail`;

function serveCommand(): Command {
	const command = new Command('serve')
		.description('Serve both services on 127.0.0.1 (the default command).')
		.addOption(linkPortOption())
		.addOption(
			new Option('--store-port <port>', 'port of the store; 0: any free port')
				.env('SANDBOX_STORE_PORT')
				.argParser(wholeNumber(0, 65_535))
				.default(DEFAULT_PORTS.store),
		)
		.addOption(
			new Option('--database <file>', 'file for the data; default: memory')
				.env('SANDBOX_DATABASE')
				.default(':memory:', 'memory'),
		)
		.addOption(
			new Option(
				'--seed <what>',
				`demo, none, or how many links the demo account has (up to ${MOST_LINKS})`,
			)
				.env('SANDBOX_SEED')
				.argParser(seedSize)
				.default('demo'),
		)
		.addOption(
			new Option(
				'--limit <requests>',
				'requests per window and key of the link service; 0: no limit',
			)
				.env('SANDBOX_LIMIT')
				.argParser(wholeNumber(0, 1_000_000))
				.default(30),
		)
		.addOption(
			new Option('--window <seconds>', 'length of that window')
				.env('SANDBOX_WINDOW')
				.argParser(wholeNumber(1, 86_400))
				.default(60),
		)
		.addOption(
			new Option('--show-requests', 'print each API request (never a key)').env(
				'SANDBOX_SHOW_REQUESTS',
			),
		)
		.addOption(
			new Option('--dialect <preset>', 'how the services respond where the documents are silent')
				.env('SANDBOX_DIALECT')
				.choices(DIALECT_NAMES)
				.default('documented'),
		)
		.optionsGroup('Settings that override the preset:');
	for (const name of CHOICE_NAMES) {
		command.addOption(
			new Option(`--${kebab(name)} <value>`, CHOICES[name].about)
				.env(`SANDBOX_${kebab(name).toUpperCase().replaceAll('-', '_')}`)
				.choices(CHOICES[name].values),
		);
	}
	return command
		.addOption(
			new Option('--clock-skew <seconds>', CLOCK_SKEW.about)
				.env('SANDBOX_CLOCK_SKEW')
				.argParser(wholeNumber(-86_400, 86_400)),
		)
		.addHelpText('after', `\n${presetTable()}`)
		.action(async () => {
			await serve(command.opts<ServeOptions>(), command);
		});
}

async function serve(options: ServeOptions, command: Command): Promise<void> {
	const { linkPort, storePort, database, dialect, limit, window, seed, showRequests } = options;
	const overrides = Object.fromEntries(
		[...CHOICE_NAMES, 'clockSkew' as const].flatMap((name) =>
			options[name] === undefined ? [] : [[name, options[name]]],
		),
	);
	const sandbox = await startSandbox({
		linkPort,
		storePort,
		database,
		dialect: { ...presetDialect(dialect), ...overrides },
		rateLimit: { requests: limit, windowSeconds: window },
		seed,
		requestCapacity: 0,
		onRequest: showRequests ? printRequest : undefined,
	}).catch((error: unknown) => command.error(startError(error), { exitCode: 1 }));

	console.log(`Link service  ${sandbox.linkUrl}`);
	console.log(`Store         ${sandbox.storeUrl}`);
	console.log(`Data          ${database === ':memory:' ? 'in memory, lost on exit' : database}`);
	console.log(`Dialect       ${[dialect, ...Object.keys(overrides)].join(', with its own ')}`);
	if (seed !== 'none') {
		console.log(`Demo keys     link service ${DEMO.link.apiKey}, store ${DEMO.store.apiKey}`);
		console.log(`Demo purchase ${DEMO.purchaseCodes.valid}`);
	}
	console.log('Press Ctrl-C to stop.');

	const stop = (): void => {
		void sandbox.stop().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

function printRequest({ service, method, path, query, status, at }: RecordedRequest): void {
	const { api_key: key, ...shown } = query;
	const search = new URLSearchParams(key === undefined ? shown : { ...shown, api_key: '…' });
	const time = new Date(at).toISOString().slice(11, 23);
	const target = search.size > 0 ? `${path}?${search.toString()}` : path;
	console.log(`${time} ${service.padEnd(5)} ${status || 'cut'} ${method} ${target}`);
}

interface AccountOptions {
	service: ServiceName;
	password?: string;
	database?: string;
	linkPort: number;
}

function registerCommand(): Command {
	const command = accountCommand('register')
		.description('Register an account and print its API key, once.')
		.argument('<email>', 'email of the account')
		.option('--password <password>', 'password of a link service account; default: none')
		.action(async (email: string) => {
			const { service, password, database, linkPort } = command.opts<AccountOptions>();
			const account = database
				? inFile(command, database, (accounts) => accounts.register(service, email, password))
				: await control(command, linkPort, ACCOUNTS_PATH, 'POST', { service, email, password });
			printJson(account);
		});
	return command;
}

function keyCommand(): Command {
	const command = accountCommand('key')
		.description('Give an account a new API key, or let its key expire.')
		.addArgument(new Argument('<action>', 'what to do').choices(KEY_ACTIONS))
		.argument('<email>', 'email of the account')
		.action(async (action: 'rotate' | 'expire', email: string) => {
			const { service, database, linkPort } = command.opts<AccountOptions>();
			const account = database
				? inFile(command, database, (accounts) =>
						action === 'rotate'
							? accounts.rotateKey(service, email)
							: accounts.expireKey(service, email),
					)
				: await control(command, linkPort, KEYS_PATH, 'POST', { action, service, email });
			printJson(account);
		});
	return command;
}

const accountCommand = (name: string): Command =>
	new Command(name)
		.addOption(serviceOption().default('link'))
		.addOption(
			new Option('--database <file>', 'use this file instead of the running sandbox').env(
				'SANDBOX_DATABASE',
			),
		)
		.addOption(linkPortOption());

/** Runs a command on the accounts of a database file. */
function inFile(command: Command, file: string, work: (accounts: Accounts) => unknown): unknown {
	const database = openDatabase(file);
	try {
		return work(new Accounts(database, Date.now));
	} catch (error) {
		return command.error(messageOf(error), { exitCode: 1 });
	} finally {
		database.close();
	}
}

interface FaultOptions {
	linkPort: number;
	[member: string]: unknown;
}

function faultCommand(): Command {
	const kinds = Object.entries(FAULT_KINDS).map(([kind, about]) => `  ${kind.padEnd(16)} ${about}`);
	const command = new Command('fault')
		.description('Make the next requests to the running sandbox fail.')
		.addArgument(
			new Argument('<kind>', 'kind of failure; or list, or clear').choices([
				...FAULT_KIND_NAMES,
				'list',
				'clear',
			]),
		)
		.addOption(
			new Option('--times <number>', 'how many matching requests fail')
				.argParser(wholeNumber(1, 1_000_000))
				.default(1),
		)
		.addOption(serviceOption())
		.option('--method <method>', 'only requests with this method')
		.option('--path <path>', 'only requests with this exact path, e.g. /api/urls')
		.addOption(
			new Option('--milliseconds <number>', 'for delay; default 1000').argParser(
				wholeNumber(0, 600_000),
			),
		)
		.addOption(
			new Option('--seconds <number>', 'for skewed-clock; default 3600').argParser(
				wholeNumber(-86_400, 86_400),
			),
		)
		.addOption(linkPortOption())
		.addHelpText(
			'after',
			`\nKinds:\n${kinds.join('\n')}\n\nOver HTTP: POST, GET and DELETE ${FAULTS_PATH} on the link service's port.`,
		)
		.action(async (kind: string) => {
			const { linkPort, ...fault } = command.opts<FaultOptions>();
			const method = { list: 'GET', clear: 'DELETE' }[kind] ?? 'POST';
			const body = method === 'POST' ? { kind, ...fault } : undefined;
			const waiting = await control(command, linkPort, FAULTS_PATH, method, body);
			printJson(waiting);
		});
	return command;
}

/** Sends a request to the control address of a running sandbox. */
async function control(
	command: Command,
	port: number,
	path: string,
	method: string,
	body: unknown,
): Promise<unknown> {
	const url = `http://127.0.0.1:${port}`;
	const response = await fetch(`${url}${path}`, {
		method,
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	}).catch(() =>
		command.error(`No sandbox answers at ${url}. Start it, or say where with --link-port.`, {
			exitCode: 1,
		}),
	);
	const text = await response.text();
	if (response.ok) return JSON.parse(text);
	return command.error(`The sandbox refuses: ${text}`, { exitCode: 1 });
}

const linkPortOption = (): Option =>
	new Option('--link-port <port>', 'port of the link service; 0: any free port')
		.env('SANDBOX_LINK_PORT')
		.argParser(wholeNumber(0, 65_535))
		.default(DEFAULT_PORTS.link);

const serviceOption = (): Option =>
	new Option('--service <service>', 'link or store').choices(SERVICES);

const wholeNumber =
	(least: number, most: number) =>
	(value: string): number => {
		const number = /^-?\d+$/.test(value) ? Number(value) : NaN;
		if (number >= least && number <= most) return number;
		throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
	};

function seedSize(value: string): 'none' | 'demo' | number {
	if (value === 'none' || value === 'demo') return value;
	if (/^\d+$/.test(value) && Number(value) <= MOST_LINKS) return Number(value);
	throw new InvalidArgumentError(`It must be demo, none or a number up to ${MOST_LINKS}.`);
}

const kebab = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The value of every setting in each preset. */
function presetTable(): string {
	const width = 16;
	const line = (cells: readonly unknown[]): string =>
		`  ${cells
			.map((cell) => String(cell).padEnd(width))
			.join(' ')
			.trimEnd()}`;
	return [
		'Presets:',
		...DIALECT_NAMES.map((name) => `  ${name.padEnd(width)} ${DIALECT_SUMMARIES[name]}`),
		'',
		line(['', ...DIALECT_NAMES]),
		...[...CHOICE_NAMES, 'clockSkew' as const].map((name) =>
			line([kebab(name), ...DIALECT_NAMES.map((preset) => presetDialect(preset)[name])]),
		),
	].join('\n');
}

function startError(error: unknown): string {
	if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
		return `Port ${String(error.port)} is already in use. Choose another with --link-port or --store-port.`;
	}
	return `The sandbox could not start: ${messageOf(error)}`;
}

const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);
