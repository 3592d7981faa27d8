/** `node image.ts <address>`: an n8n from its container image, on this machine's network, that has the package installed makes a link. */
import { startSandbox } from '../../sandbox/sandbox.ts';
import { N8nClient } from './client.ts';
import { DEMO_OWNER, readExample, sandboxCredentials, withCredentials } from './instance.ts';
import { until } from './until.ts';

const client = new N8nClient(process.argv[2] ?? 'http://127.0.0.1:5678');
const sandbox = await startSandbox({ seed: 'demo' });
const settings = async () => await client.get('/settings').catch(() => undefined);
await until(settings, 'n8n to get ready');
await client.setUpOwner(DEMO_OWNER);
const credentials = await client.createCredentials(sandboxCredentials(sandbox));
const example = withCredentials(await readExample('create-short-link.json'), credentials);
const result = await client.run(example);
console.log(result.json('Create a link'));
await sandbox.stop();
