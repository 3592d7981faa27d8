import type { CredentialRef, ExecutionResult, WorkflowJson } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, readExamples, withCredentials } from '../n8n-host/instance.ts';
import { A_NUMBER, A_STRING, like } from './matchers.ts';
import { theStage } from './stage.ts';

const client = new N8nClient(theStage().n8nUrl);
let credentials: CredentialRef[];
let examples: Map<string, WorkflowJson>;

beforeAll(async () => {
	await client.login(DEMO_OWNER);
	credentials = await client.credentials();
	examples = await readExamples();
});

async function run(file: string): Promise<ExecutionResult> {
	const example = examples.get(file);
	if (example === undefined) throw new Error(`There is no examples/${file}`);
	const trigger = example.nodes.find(({ type }) => /trigger$/i.test(type));
	if (trigger === undefined) throw new Error(`examples/${file} has no trigger`);
	return await client.run(withCredentials(example, credentials), trigger.name);
}

test('every example explains itself in a note and names its credentials without an id', () => {
	for (const [file, { nodes }] of examples) {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect({ file, notes: notes.length }).toEqual({ file, notes: 1 });
		for (const { credentials: used = {} } of nodes) {
			for (const credential of Object.values(used)) {
				expect(credential).toEqual({ id: null, name: A_STRING });
			}
		}
	}
});

test('create-short-link.json creates a link', async () => {
	const result = await run('create-short-link.json');
	expect(result.status).toBe('success');
	expect(result.items('Create a link')).toEqual([
		{ json: { id: A_NUMBER, shorturl: A_STRING }, pairedItems: [0] },
	]);
});

test('sheet-of-urls.json parts the short links from the rows to correct', async () => {
	const result = await run('sheet-of-urls.json');
	expect(result.status).toBe('success');
	expect(result.items('Short links').map(({ json }) => json)).toEqual([
		{ title: 'Spring sale', shorturl: like(/^http/) },
		{ title: 'Catalogue', shorturl: like(/^http/) },
		{ title: 'Opening hours', shorturl: like(/^http/) },
	]);
	expect(result.items('Rows to correct').map(({ json }) => json)).toEqual([
		{
			title: 'Typing mistake',
			address: 'example dot com',
			reason: like(/example dot com/),
		},
	]);
});

test('nightly-purchase-check.json parts valid codes from invalid ones', async () => {
	const result = await run('nightly-purchase-check.json');
	expect(result.status).toBe('success');
	expect(result.items('Keep serving').map(({ json }) => json.valid)).toEqual([true]);
	expect(result.items('Ask the customer').map(({ json }) => json.valid)).toEqual([false]);
});
