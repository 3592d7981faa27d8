import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import {
	CHOICE_NAMES,
	CHOICES,
	CLOCK_SKEW,
	type Dialect,
	DIALECT_NAMES,
	DIALECT_SUMMARIES,
	type DialectName,
	presetDialect,
} from './dialects.ts';
import { FAULT_KINDS, FAULT_KIND_NAMES } from './faults.ts';
import { type RecordedRequest, SERVICES } from './recorder.ts';
import { DEMO, startSandbox } from './sandbox.ts';

const DEFAULT_PORTS = { link: 4010, store: 4011 };
const MAX_LINKS = 100_000;

interface ServeOptions extends Partial<Omit<Dialect, 'clockSkew'>> {
	linkPort: number;
	storePort: number;
	database?: string;
	links: number;
	limit: number;
	window: number;
	showRequests?: boolean;
	dialect: DialectName;
	clockSkew?: number;
}

/** The command line. A wrong use of it ends the process with status 1 and a message of one line. */
export function createCommand(): Command {
	return new Command('sandbox')
		.description(
			'Runs a link management service and a store on this machine, as their API documents describe them.\nWithout a command, serves both until Ctrl-C.',
		)
		.showHelpAfterError('(--help shows every option)')
		.addCommand(serveCommand(), { isDefault: true })
		.addCommand(faultCommand())
		.addHelpText('after', `\n${EXAMPLES}`);
}

const EXAMPLES = `Examples:
  sandbox                                        both services with demo accounts
  sandbox serve --help                           every option and setting of the services
  sandbox --dialect awkward                      both services with misleading responses
  sandbox --database sandbox.db --links 100000   a large account, stored in a file
  sandbox fault http-503 --times 3               the next three requests fail`;

const PRESETS = DIALECT_NAMES.map((name) => `  ${name.padEnd(12)} ${DIALECT_SUMMARIES[name]}`);

/** What the grades in the settings' descriptions mean. */
const GRADES =
	'Grades of responses: A, users of such services quote it; B, clients read it; C, copies of the documents have it';

function serveCommand(): Command {
	const command = new Command('serve')
		.description('Serve both services on 127.0.0.1 (the default command).')
		.addOption(linkPortOption())
		.addOption(
			number('--store-port <port>', 'port of the store; 0: any free port', 0, 65_535).default(
				DEFAULT_PORTS.store,
			),
		)
		.option('--database <file>', 'file for the data; default: memory')
		.addOption(number('--links <number>', 'links of the demo account', 0, MAX_LINKS).default(40))
		.addOption(
			number(
				'--limit <requests>',
				'requests per window and key of the link service; 0: no limit',
				0,
				1_000_000,
			).default(30),
		)
		.addOption(number('--window <seconds>', 'length of that window', 1, 86_400).default(60))
		.option('--show-requests', 'print each API request (never a key)')
		.addOption(
			new Option('--dialect <preset>', 'how the services respond where the documents are silent')
				.choices(DIALECT_NAMES)
				.default('documented'),
		)
		.optionsGroup('Settings that override the preset:');
	for (const name of CHOICE_NAMES) {
		const { about, values } = CHOICES[name];
		command.addOption(new Option(`--${kebab(name)} <value>`, about).choices(values));
	}
	return command
		.addOption(number('--clock-skew <seconds>', CLOCK_SKEW.about, -86_400, 86_400))
		.addHelpText('after', `\nPresets:\n${PRESETS.join('\n')}\n\n${GRADES}`)
		.action(async () => {
			await serve(command.opts<ServeOptions>(), command);
		});
}

async function serve(options: ServeOptions, command: Command): Promise<void> {
	const { linkPort, storePort, database, dialect, limit, window, links, showRequests } = options;
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
		seed: links,
		requestCapacity: 0,
		onRequest: showRequests ? printRequest : undefined,
	}).catch((error: unknown) => command.error(startError(error), { exitCode: 1 }));

	console.log(`Link service  ${sandbox.linkUrl}`);
	console.log(`Store         ${sandbox.storeUrl}`);
	console.log(`Data          ${database ?? 'in memory, lost on exit'}`);
	console.log(`Dialect       ${[dialect, ...Object.keys(overrides)].join(', with its own ')}`);
	console.log(`Demo keys     link service ${DEMO.link.apiKey}, store ${DEMO.store.apiKey}`);
	console.log(`Demo purchase ${DEMO.purchaseCodes.valid}`);
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

function faultCommand(): Command {
	const kinds = Object.entries(FAULT_KINDS).map(([kind, about]) => `  ${kind.padEnd(16)} ${about}`);
	const command = new Command('fault')
		.description('Make the next requests to the running sandbox fail.')
		.addArgument(
			new Argument('<kind>', 'kind of failure, or clear').choices([...FAULT_KIND_NAMES, 'clear']),
		)
		.addOption(number('--times <number>', 'how many matching requests fail', 1, 1_000_000))
		.addOption(new Option('--service <service>', 'link or store').choices(SERVICES))
		.option('--method <method>', 'only requests with this method')
		.option('--path <path>', 'only requests with this path, e.g. /api/urls or /api/url/:id')
		.addOption(number('--milliseconds <number>', 'for delay; default 1000', 0, 600_000))
		.addOption(number('--seconds <number>', 'for skewed-clock; default 3600', -86_400, 86_400))
		.addOption(linkPortOption())
		.addHelpText('after', `\nKinds:\n${kinds.join('\n')}`)
		.action(async (kind: string) => {
			const { linkPort, ...fault } = command.opts<Record<string, unknown>>();
			const url = `http://127.0.0.1:${Number(linkPort)}/sandbox/faults`;
			const order =
				kind === 'clear'
					? { method: 'DELETE' }
					: { method: 'POST', body: JSON.stringify({ kind, ...fault }) };
			const response = await fetch(url, order).catch(() =>
				command.error(`No sandbox answers at ${url}. Start it, or set its --link-port.`),
			);
			console.log(await response.text());
		});
	return command;
}

const linkPortOption = (): Option =>
	number('--link-port <port>', 'port of the link service; 0: any free port', 0, 65_535).default(
		DEFAULT_PORTS.link,
	);

/** An option that takes a whole number. */
export const number = (flags: string, about: string, least: number, most: number): Option =>
	new Option(flags, about).argParser((value: string): number => {
		const given = /^-?\d+$/.test(value) ? Number(value) : NaN;
		if (given >= least && given <= most) return given;
		throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
	});

const kebab = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function startError(error: unknown): string {
	if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
		return `Port ${String(error.port)} is already in use. Choose another with --link-port or --store-port.`;
	}
	return `The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`;
}
