/** `npm run sandbox`: both services on this machine until Ctrl-C. */
import { parseArgs } from 'node:util';
import { CHOICES } from './choices.ts';
import { DEMO } from './demo.ts';
import { DIALECT_NAMES, type Dialect, dialectOf } from './dialects.ts';
import { startSandbox } from './sandbox.ts';

const SETTINGS: Record<string, readonly string[]> = CHOICES;
const NAMES = Object.keys(SETTINGS);

const HELP = `Runs a link management service and a store on this machine, as installations respond.
--dialect documented: as the API documents say; hostile: whatever else they allow.

npm run sandbox -- [--link-port 4010] [--store-port 4011] [--dialect ${DIALECT_NAMES.join('|')}] [--set <setting>=<value>]...

Settings, which sandbox/choices.ts explains, each with the value of documented first:
${NAMES.map((name) => `  ${name}: ${SETTINGS[name]?.join(', ')}`).join('\n')}`;

function wordOf<Word extends string>(name: string, given = '', words: readonly Word[] = []): Word {
	const word = words.find((each) => each === given);
	if (word !== undefined) return word;
	throw new Error(`${name} must be one of: ${words.join(', ')}.`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			help: { type: 'boolean' },
			'link-port': { type: 'string', default: '4010' },
			'store-port': { type: 'string', default: '4011' },
			dialect: { type: 'string', default: 'installed' },
			set: { type: 'string', multiple: true, default: [] },
		},
	});
	if (values.help) {
		console.log(HELP);
		return;
	}
	const preset = dialectOf(wordOf('--dialect', values.dialect, DIALECT_NAMES));
	const settings = values.set.map((given) => {
		const [name = '', value] = given.split('=');
		return [wordOf('--set', name, NAMES), wordOf(name, value, SETTINGS[name])];
	});
	const sandbox = await startSandbox({
		linkPort: Number(values['link-port']),
		storePort: Number(values['store-port']),
		dialect: { ...preset, ...(Object.fromEntries(settings) as Partial<Dialect>) },
		seed: 'demo',
	});
	console.log(`Link service  ${sandbox.linkUrl}   API key ${DEMO.link.apiKey}
Store         ${sandbox.storeUrl}   API key ${DEMO.store.apiKey}
Valid code    ${DEMO.purchaseCodes.valid}
Press Ctrl-C to stop.`);
	for (const signal of ['SIGINT', 'SIGTERM']) {
		process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
	}
}

await main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
