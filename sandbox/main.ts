/** `npm run sandbox`: both services on this machine until Ctrl-C. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import {
	CHOICE_NAMES,
	CHOICES,
	CLOCK_SKEW,
	DIALECT_NAMES,
	DIALECT_SUMMARIES,
	presetDialect,
} from './dialects.ts';
import { FAULT_KINDS } from './faults.ts';
import type { RecordedRequest } from './recorder.ts';
import { DEMO, startSandbox } from './sandbox.ts';

/** Options with a value: what it is called, what it does, and its default. */
const OPTIONS: Record<string, [value: string, about: string, preset?: string]> = {
	'link-port': ['port', 'port of the link service; 0: any free port', '4010'],
	'store-port': ['port', 'port of the store; 0: any free port', '4011'],
	database: ['file', 'where the data is kept; default: in memory'],
	links: ['number', 'links of the demo account', '40'],
	limit: ['requests', 'requests per window and key of the link service; 0: no limit', '30'],
	window: ['seconds', 'length of that window', '60'],
	dialect: ['preset', `how the services respond: ${DIALECT_NAMES.join(', ')}`, 'documented'],
};

const kebab = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const lines = (rows: ReadonlyArray<readonly [name: string, about: string]>): string =>
	rows.map(([name, about]) => `  ${name.padEnd(22)} ${about}`).join('\n');

const HELP = `Runs a link management service and a store on this machine, as their API documents describe them.

npm run sandbox -- [options]
${lines(Object.entries(OPTIONS).map(([name, [value, about, preset]]) => [`--${name} <${value}>`, preset === undefined ? about : `${about} (${preset})`]))}
${lines([['--show-requests', 'print each API request, without its key']])}

Presets:
${lines(Object.entries(DIALECT_SUMMARIES))}

Settings, to change a preset:
${lines(CHOICE_NAMES.map((name) => [`--${kebab(name)}`, `${CHOICES[name].about}: ${CHOICES[name].values.join(', ')}`]))}
${lines([['--clock-skew <seconds>', CLOCK_SKEW.about]])}

To make the next requests fail, order a fault:
  curl -d '{"kind":"http-503","times":3,"path":"/api/url/:id"}' http://127.0.0.1:4010/sandbox/faults
  curl -X DELETE http://127.0.0.1:4010/sandbox/faults
${lines(Object.entries(FAULT_KINDS))}`;

type Given = Record<string, string | boolean | undefined>;

function readOptions(): Given {
	const withValue = [...Object.keys(OPTIONS), ...CHOICE_NAMES.map(kebab), 'clock-skew'];
	const options: ParseArgsConfig['options'] = {
		help: { type: 'boolean' },
		'show-requests': { type: 'boolean' },
		...Object.fromEntries(withValue.map((name) => [name, { type: 'string' } as const])),
	};
	const { values } = parseArgs({ options });
	const presets = Object.entries(OPTIONS).map(([name, [, , preset]]) => [name, preset]);
	return { ...Object.fromEntries(presets), ...values } as Given;
}

function numberOf(given: Given, name: string, greatest: number, least = 0): number {
	const number = Number(given[name]);
	if (Number.isInteger(number) && number >= least && number <= greatest) return number;
	throw new Error(`--${name} must be a whole number from ${least} to ${greatest}.`);
}

function wordOf<Word extends string>(given: Given, name: string, words: readonly Word[]): Word {
	const word = words.find((each) => each === given[name]);
	if (word) return word;
	throw new Error(`--${name} must be one of: ${words.join(', ')}.`);
}

/** The settings that differ from the preset. */
function settingsIn(given: Given): Record<string, string | number> {
	const settings: Record<string, string | number> = {};
	for (const name of CHOICE_NAMES) {
		const option = kebab(name);
		if (given[option] === undefined) continue;
		settings[name] = wordOf<string>(given, option, CHOICES[name].values);
	}
	if (given['clock-skew'] !== undefined) {
		settings.clockSkew = numberOf(given, 'clock-skew', 86_400, -86_400);
	}
	return settings;
}

async function serve(given: Given): Promise<void> {
	const preset = wordOf(given, 'dialect', DIALECT_NAMES);
	const settings = settingsIn(given);
	const database = typeof given.database === 'string' ? given.database : undefined;
	const sandbox = await startSandbox({
		linkPort: numberOf(given, 'link-port', 65_535),
		storePort: numberOf(given, 'store-port', 65_535),
		database,
		dialect: { ...presetDialect(preset), ...settings },
		rateLimit: {
			requests: numberOf(given, 'limit', 1_000_000),
			windowSeconds: numberOf(given, 'window', 86_400, 1),
		},
		seed: numberOf(given, 'links', 100_000),
		onRequest: given['show-requests'] ? printRequest : undefined,
	});
	console.log(`Link service  ${sandbox.linkUrl}
Store         ${sandbox.storeUrl}
Data          ${database ?? 'in memory, lost on exit'}
Dialect       ${[preset, ...Object.keys(settings)].join(', with its own ')}
Demo keys     link service ${DEMO.link.apiKey}, store ${DEMO.store.apiKey}
Demo purchase ${DEMO.purchaseCodes.valid}
Press Ctrl-C to stop.`);
	for (const signal of ['SIGINT', 'SIGTERM']) {
		process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
	}
}

function printRequest({ service, method, path, query, status, at }: RecordedRequest): void {
	const search = new URLSearchParams(query);
	if (search.has('api_key')) search.set('api_key', '…');
	const time = new Date(at).toISOString().slice(11, 23);
	const target = search.size > 0 ? `${path}?${search.toString()}` : path;
	console.log(`${time} ${service.padEnd(5)} ${status || 'cut'} ${method} ${target}`);
}

try {
	const given = readOptions();
	if (given.help) console.log(HELP);
	else await serve(given);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
