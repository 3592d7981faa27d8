/**
 * `npm start`: everything needed to try the package, on this machine only, and one Ctrl-C to end it all.
 * The data stays for the next start.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { Command } from 'commander';

import { number } from '../../sandbox/commands.ts';
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
import { userFolder } from './project.ts';
import { PINNED, findVersion, releaseOf } from './versions.ts';

interface StartOptions {
	port: number;
	linkPort: number;
	storePort: number;
	data: string;
	n8n: string;
	reset?: boolean;
}

const abort = new AbortController();
const { signal } = abort;
/** Ends all that was started. */
const stack = new AsyncDisposableStack();

async function start({ port, linkPort, storePort, data, n8n, reset }: StartOptions) {
	await assertPortsFree({ '--port': port, '--link-port': linkPort, '--store-port': storePort });
	// No n8n can read what a newer one has left.
	const version = findVersion(n8n);
	const home = version === PINNED ? 'n8n' : `n8n-${releaseOf(version.n8n)}`;
	if (reset === true) await removeData(data, home);
	const owner = await provideOwner(data);

	const install = await ensureN8n(n8n);
	const tarball = await packPackage(stack.adopt(await temporaryFolder('pack'), removeFolder));

	say('Starting the sandbox and n8n ...');
	const database = join(data, 'sandbox.db');
	const sandbox = await startSandbox({ database, linkPort, storePort, seed: 'demo' });
	stack.defer(async () => await sandbox.stop());
	const log = join(data, 'n8n.log');
	await rm(log, { force: true });
	const { host, client } = await startInstance({
		install,
		userFolder: join(data, home),
		port,
		log,
		tarball,
		signal,
		owner,
	});
	stack.defer(host.stop);
	void host.exited.then(() => abort.abort(new Error(`n8n ended by itself; ${log} says why`)));

	const access = demoAccess(sandbox);
	const credentials: CredentialRef[] = [];
	for (const input of sandboxCredentials(access)) {
		credentials.push(await provideCredential(client, input));
	}
	const workflowUrl = await provideExamples(client, credentials);
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

Data is kept in   ${data}   (npm start -- --reset throws it away)
n8n's log         ${log}

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

const portOption = (option: string, what: string, preset: number) =>
	number(`--${option} <number>`, what, 1, 65_535).default(preset);

const command = new Command('npm start --')
	.description('Starts n8n with this package installed, beside a sandbox of both services.')
	.addOption(portOption('port', 'port of n8n', 5678))
	.addOption(portOption('link-port', "port of the sandbox's link service", 4010))
	.addOption(portOption('store-port', "port of the sandbox's store service", 4011))
	.option('--n8n <version>', 'which n8n, e.g. 1.123; each has data of its own', PINNED.n8n)
	.option(
		'--data <folder>',
		'where the data is kept',
		userFolder('XDG_DATA_HOME', join('.local', 'share')),
	)
	.option('--reset', 'throw the data of former starts away first');

command.parse();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, onSignal);

try {
	await start(command.opts<StartOptions>());
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
