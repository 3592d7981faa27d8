import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { checkService, printed } from './check.ts';

const USAGE = `npm run check -- --url https://links.example.com [--store] [--output check.md]
    [--requests-per-minute 30] [--extra-header "Name: value"]

Sends GET requests to your service, prints how the nodes understand the responses, and writes the result to a file that
you can attach to a report. It changes nothing on the service. It reads the key from LINKSTORE_API_KEY, or asks for it.`;

const { values } = parseArgs({
	options: {
		url: { type: 'string' },
		store: { type: 'boolean', default: false },
		output: { type: 'string', default: 'check.md' },
		'requests-per-minute': { type: 'string', default: '30' },
		'extra-header': { type: 'string', default: '' },
		help: { type: 'boolean', default: false },
	},
});

if (values.help || values.url === undefined) {
	console.log(USAGE);
	process.exit(values.help ? 0 : 1);
}

const apiKey = process.env.LINKSTORE_API_KEY ?? (await askForKey());
const [extraHeaderName = '', ...value] = values['extra-header'].split(':');
const report = await checkService(values.store ? 'store' : 'link', {
	baseUrl: values.url,
	apiKey,
	requestsPerMinute: values['requests-per-minute'],
	extraHeaderName,
	extraHeaderValue: value.join(':').trim(),
}).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
const text = printed(report);
console.log(text);
writeFileSync(values.output, text);
console.log(`Written to ${values.output}.`);

/** Asks without showing what is typed. */
async function askForKey(): Promise<string> {
	const output = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
	process.stderr.write('API key: ');
	const key = await new Promise<string>((resolve) => lines.question('', resolve));
	lines.close();
	process.stderr.write('\n');
	return key;
}
