/**
 * `npm start`: everything needed to try the package, on this machine only, and one Ctrl-C to end it all.
 * The data stays for the next start.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, parseArgs, promisify } from 'node:util';

import type { INode } from 'n8n-workflow';

import { DEMO } from '../../sandbox/demo.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { freePort } from '../loopback.ts';
import type { CredentialInput, N8nClient, Owner } from './client.ts';
import { ensureN8n, installPackage, step, userFolder } from './install.ts';
import {
	DEMO_OWNER,
	readExamples,
	sandboxCredentials,
	startInstance,
	withCredentials,
} from './instance.ts';
import { list, record, text, texts } from './json.ts';

const HELP = `Starts n8n with this package installed, beside a sandbox of both services.

npm start -- [options]
  --port <number>        port of n8n (5678)
  --link-port <number>   port of the sandbox's link service (4010)
  --store-port <number>  port of the sandbox's store service (4011)
  --data <folder>        where the data is kept; delete it to begin again
  --dev                  builds after each change of a source, and has n8n load it (npm run dev)`;

const optionsGiven = () =>
	parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'link-port': { type: 'string', default: '4010' },
			'store-port': { type: 'string', default: '4011' },
			data: { type: 'string', default: userFolder('XDG_DATA_HOME', join('.local', 'share')) },
			dev: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	}).values;

/** The example to begin with. */
const FIRST = 'create-short-link.json';
const NIGHTLY_CHECK = 'nightly-purchase-check.json';

type Options = ReturnType<typeof optionsGiven>;

const abort = new AbortController();
const { signal } = abort;
/** Ends all that was started. */
const stack = new AsyncDisposableStack();

async function start(options: Options): Promise<void> {
	const { data, dev } = options;
	const port = Number(options.port);
	const linkPort = Number(options['link-port']);
	const storePort = Number(options['store-port']);
	for (const each of [port, linkPort, storePort]) await freePort(each);
	const owner = await provideOwner(data);
	const { folder } = await ensureN8n();
	const home = join(data, 'n8n');
	const installed = await step('Building and installing the nodes', async () => {
		await promisify(execFile)('node_modules/.bin/gulp', ['build']);
		return await installPackage(home);
	});
	const sandbox = await step('Starting the sandbox of both services', async () => {
		const database = join(data, 'sandbox.db');
		return await startSandbox({ database, linkPort, storePort, seed: 'demo' });
	});
	stack.defer(async () => await sandbox.stop());

	const log = join(data, 'n8n.log');
	await rm(log, { force: true });
	// n8n then watches the files of its packages, as n8n's own `n8n-node dev` has it.
	const env: Record<string, string> = dev ? { N8N_DEV_RELOAD: 'true' } : {};
	const { host, client } = await step(
		'Starting n8n',
		async () => await startInstance({ userFolder: home, port, log, env, signal }, owner),
		'10 to 20 seconds',
	);
	stack.defer(host.stop);
	void host.exited.then(() => abort.abort(new Error(`n8n ended by itself; ${log} says why`)));
	const workflowUrl = await step(
		'Importing credentials and examples',
		async () => await provideExamples(client, sandboxCredentials(sandbox)),
	);
	signal.throwIfAborted();
	if (dev) {
		const words = ['watch', '--into', installed];
		const gulp = spawn('node_modules/.bin/gulp', words, { stdio: 'inherit' });
		stack.defer(() => void gulp.kill());
	}
	say(`
n8n is ready:     ${host.url}
  email           ${owner.email}
  password        ${owner.password}
  first example   ${workflowUrl}

Sandbox, a stand-in for the two services (both credentials in n8n point to it):
  links           ${sandbox.linkUrl}   API key ${DEMO.link.apiKey}
  store           ${sandbox.storeUrl}   API key ${DEMO.store.apiKey}   (it answers in Portuguese)
  purchase code   ${DEMO.purchaseCodes.valid}   valid; Store > Purchase > Validate takes it
  in a browser    ${sandbox.storeUrl}/publish (an item), /buy (a code), /refund?code=...
  try             curl -H 'Authorization: Bearer ${DEMO.link.apiKey}' ${sandbox.linkUrl}/api/urls

Workflows, links  ${data}   (delete it to begin again)
n8n's log         ${log}
n8n itself        ${folder}   (may be deleted; the next start installs it again)

Ctrl-C stops everything.
`);
}

/**
 * The data folder, and the owner account of its n8n, whose password is made at the first start. Other users of the machine
 * reach the port of n8n, too, but they can read neither.
 */
async function provideOwner(data: string): Promise<Owner> {
	await mkdir(data, { recursive: true });
	await chmod(data, 0o700);
	const file = join(data, 'password');
	// n8n wants a capital letter and a digit in it.
	const made = `${randomBytes(12).toString('base64url')}-A1`;
	if (!existsSync(file)) await writeFile(file, made, { mode: 0o600 });
	return { ...DEMO_OWNER, password: await readFile(file, 'utf8') };
}

/** What a new n8n gets. What the user makes of it later stays. @returns the address of the example to begin with */
async function provideExamples(client: N8nClient, inputs: CredentialInput[]): Promise<string> {
	const examples = await readExamples();
	const first = examples.get(FIRST);
	const workflows = async () =>
		list(await client.get('/workflows')).map((workflow) => texts(workflow, 'id', 'name'));
	if ((await workflows()).length === 0) {
		const credentials = await client.createCredentials(inputs);
		await providePurchaseCodes(client, examples.get(NIGHTLY_CHECK)?.nodes);
		// n8n lists the newest at the top.
		const others = [...examples.values()].filter((example) => example !== first);
		for (const example of [...others, ...(first ? [first] : [])]) {
			await client.createWorkflow(withCredentials(example, credentials));
		}
	}
	const id = (await workflows()).find(({ name }) => name === first?.name)?.id ?? '';
	return `${client.url}/workflow/${id}`;
}

/** Makes the table that the nightly check reads, with a valid code of the sandbox, so that its first run checks something. */
async function providePurchaseCodes(client: N8nClient, nodes: INode[] = []): Promise<void> {
	const creator = nodes.find(({ parameters }) => parameters.tableName !== undefined);
	const { tableName, columns } = record(creator?.parameters);
	const project = text(record(await client.get('/projects/personal')).id, 'project');
	const path = `/projects/${project}/data-tables`;
	const table = { name: tableName, columns: record(columns).column };
	const { id } = texts(await client.post(path, table), 'id');
	const row = { customer: 'Sandbox', code: DEMO.purchaseCodes.valid };
	await client.post(`${path}/${id}/insert`, { data: [row] });
}

function say(what: string): void {
	process.stdout.write(`${what}\n`);
}

/** Asked a second time, it does not wait for anybody: what is left of n8n ends with this process. */
function onSignal(): void {
	if (signal.aborted) process.exit(1);
	abort.abort();
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, onSignal);
try {
	const options = optionsGiven();
	if (options.help) {
		say(HELP);
		process.exit(0);
	}
	await start(options);
	if (!signal.aborted) await once(signal, 'abort');
	signal.throwIfAborted();
} catch (error) {
	const reason: unknown = signal.aborted ? signal.reason : error;
	say('Stopping ...');
	await stack.disposeAsync();
	// Whoever stops it gives no reason.
	if (reason instanceof DOMException) process.exit(0);
	process.stderr.write(`${reason instanceof Error ? reason.message : inspect(reason)}\n`);
	process.exit(1);
}
