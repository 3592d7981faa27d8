/**
 * `npm start`: everything needed to try the package, on this machine only, and one Ctrl-C to end it all.
 * The data stays for the next start.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, parseArgs, promisify } from 'node:util';

import { DEMO } from '../../sandbox/demo.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { CredentialInput, CredentialRef, N8nClient } from './client.ts';
import { packPackage, removeFolder, temporaryFolder } from './community-package.ts';
import { ensureN8n } from './install.ts';
import {
	demoAccess,
	readExamples,
	readWorkflow,
	sandboxCredentials,
	startInstance,
	withCredentials,
} from './instance.ts';
import { provideOwner } from './owner.ts';
import { assertPortsFree } from './ports.ts';
import { projectRoot, userFolder } from './project.ts';
import { step } from './step.ts';
import { PINNED, findVersion, releaseOf } from './versions.ts';

const HELP = `Starts n8n with this package installed, beside a sandbox of both services.

npm start -- [options]
  --port <number>        port of n8n (5678)
  --link-port <number>   port of the sandbox's link service (4010)
  --store-port <number>  port of the sandbox's store service (4011)
  --n8n <version>        which n8n, e.g. 1.123; each has data of its own (${PINNED.n8n})
  --data <folder>        where the data is kept
  --reset                throw the data of former starts away first`;

function readOptions() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'link-port': { type: 'string', default: '4010' },
			'store-port': { type: 'string', default: '4011' },
			n8n: { type: 'string', default: PINNED.n8n },
			data: { type: 'string', default: userFolder('XDG_DATA_HOME', join('.local', 'share')) },
			reset: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const port = portOf('--port', values.port);
	const linkPort = portOf('--link-port', values['link-port']);
	const storePort = portOf('--store-port', values['store-port']);
	return { ...values, port, linkPort, storePort };
}

function portOf(option: string, given: string): number {
	const port = Number(given);
	if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
	throw new Error(`${option} must be a whole number from 1 to 65535, but is ${given}`);
}

const abort = new AbortController();
const { signal } = abort;
/** Ends all that was started. */
const stack = new AsyncDisposableStack();

async function start(options: ReturnType<typeof readOptions>): Promise<void> {
	const { port, linkPort, storePort, data, n8n, reset } = options;
	await assertPortsFree({ '--port': port, '--link-port': linkPort, '--store-port': storePort });
	// No n8n can read what a newer one has left.
	const version = findVersion(n8n);
	const home = version === PINNED ? 'n8n' : `n8n-${releaseOf(version.n8n)}`;
	if (reset) await removeData(data, home);
	const owner = await provideOwner(data);
	const install = await ensureN8n(n8n);
	const tarball = await step('Building and packing the nodes', async () => {
		await promisify(execFile)('node_modules/.bin/gulp', ['build'], { cwd: projectRoot() });
		return await packPackage(stack.adopt(await temporaryFolder('pack'), removeFolder));
	});
	const sandbox = await step('Starting the sandbox of both services', async () => {
		const database = join(data, 'sandbox.db');
		return await startSandbox({ database, linkPort, storePort, seed: 'demo' });
	});
	stack.defer(async () => await sandbox.stop());

	const log = join(data, 'n8n.log');
	await rm(log, { force: true });
	const wanted = { install, userFolder: join(data, home), port, log, tarball, signal, owner };
	const { host, client } = await step(
		'Starting n8n',
		async () => await startInstance(wanted),
		existsSync(wanted.userFolder) ? '10 seconds' : '20 seconds',
	);
	stack.defer(host.stop);
	void host.exited.then(() => abort.abort(new Error(`n8n ended by itself; ${log} says why`)));

	const access = demoAccess(sandbox);
	const workflowUrl = await step('Importing credentials and examples', async () => {
		const credentials: CredentialRef[] = [];
		for (const input of sandboxCredentials(access)) {
			credentials.push(await provideCredential(client, input));
		}
		return await provideExamples(client, credentials);
	});
	signal.throwIfAborted();
	const { linkUrl, linkApiKey, storeUrl, storeApiKey } = access;
	say(`
n8n is ready:     ${host.url}
  email           ${owner.email}
  password        ${owner.password}
  first example   ${workflowUrl}

Sandbox, a stand-in for the two services (both credentials in n8n point to it):
  links           ${linkUrl}   API key ${linkApiKey}
  store           ${storeUrl}   API key ${storeApiKey}
  purchase code   ${DEMO.purchaseCodes.valid}   valid; Store > Purchase > Validate takes it
  try             curl -H 'Authorization: Bearer ${linkApiKey}' ${linkUrl}/api/urls

Workflows, links  ${data}   (npm start -- --reset throws them away)
n8n's log         ${log}
n8n itself        ${install.folder}   (may be deleted; the next start installs it again)

Ctrl-C stops everything.
`);
}

/** Only what a former start has made is thrown away: a mistyped `--data` must not cost anybody a folder. */
async function removeData(data: string, home: string): Promise<void> {
	const database = ['', '-wal', '-shm'].map((end) => `sandbox.db${end}`);
	for (const name of [home, 'n8n.log', ...database]) {
		await rm(join(data, name), { recursive: true, force: true });
	}
	say(`Threw away the data in ${data}.`);
}

/**
 * A credential that the user has pointed to a service of their own stays as it is; one that points to a sandbox is kept
 * pointing to the present one.
 */
async function provideCredential(
	client: N8nClient,
	input: CredentialInput,
): Promise<CredentialRef> {
	const existing = await client.findCredential(input);
	if (existing === undefined) return await client.saveCredential(input);
	const address = existing.data.baseUrl;
	const pointsToSandbox = typeof address === 'string' && address.startsWith('http://127.0.0.1:');
	if (!pointsToSandbox || address === input.data.baseUrl) return existing;
	const { baseUrl, apiKey } = input.data;
	return await client.saveCredential({ ...input, data: { ...existing.data, baseUrl, apiKey } });
}

/**
 * Imports the examples that are not there yet; the user's changes to the others stay.
 *
 * @returns the address of the one to begin with
 */
async function provideExamples(client: N8nClient, credentials: CredentialRef[]): Promise<string> {
	const ids = new Map((await client.workflows()).map(({ id, name }) => [name, id]));
	for (const example of (await readExamples()).values()) {
		if (ids.has(example.name)) continue;
		const { id } = await client.importWorkflow(withCredentials(example, credentials));
		ids.set(example.name, id);
	}
	const first = await readWorkflow('examples/create-short-link.json');
	return `${client.url}/workflow/${ids.get(first.name)}`;
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** Asked a second time, it does not wait for anybody: what is left of n8n ends with this process. */
function onSignal(): void {
	if (signal.aborted) process.exit(1);
	abort.abort();
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, onSignal);

try {
	const options = readOptions();
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
