import axios from 'axios';

import type { SavedWorkflow } from '../n8n-host/client.ts';
import { N8nClient } from '../n8n-host/client.ts';
import { DEMO_OWNER, readExamples, withCredentials } from '../n8n-host/instance.ts';
import { withEditor } from './editor.ts';
import { including, listWith } from './matchers.ts';
import { theStage } from './stage.ts';

const stage = theStage();
const client = new N8nClient(stage.n8nUrl);
const editor = withEditor(stage.n8nUrl);
/** The examples, imported, by file name */
const examples = new Map<string, SavedWorkflow>();

beforeAll(async () => {
	await client.login(DEMO_OWNER);
	const credentials = await client.credentials();
	for (const [file, example] of await readExamples()) {
		examples.set(file, await client.importWorkflow(withCredentials(example, credentials)));
	}
});

test.each([
	{ words: 'link management', node: 'Link Management' },
	{ words: 'short link', node: 'Link Management' },
	{ words: 'store', node: 'Store' },
	{ words: 'purchase code', node: 'Store' },
])('typing "$words" in the node panel finds $node', async ({ words, node }) => {
	const found = await editor().searchNodes(words);
	await found.getByText(node, { exact: true }).first().waitFor();
});

test('an example, run with one click, shows a short link that the service knows', async () => {
	await editor().openWorkflow(examples.get('create-short-link.json')?.id ?? '');
	await editor().screenshot('example opened');
	await editor().execute();
	await editor().screenshot('example executed');

	await editor().openNode('Create a link');
	const output = editor().page.getByTestId('output-panel');
	await output.getByText('shorturl', { exact: true }).waitFor();
	const shorturl = await output.getByText(stage.linkUrl).innerText();

	const { data } = await axios.get<unknown>(`${stage.linkUrl}/api/urls`, {
		params: { order: 'date', limit: 50 },
		headers: { Authorization: `Bearer ${stage.linkApiKey}` },
		proxy: false,
	});
	expect(data).toMatchObject({
		data: { urls: listWith(including({ shorturl })) },
	});
});

test('every example opens with all of its nodes and its note', async () => {
	for (const [file, example] of await readExamples()) {
		await editor().openWorkflow(examples.get(file)?.id ?? '');
		for (const { name, type } of example.nodes) {
			if (type !== 'n8n-nodes-base.stickyNote') await editor().node(name).waitFor();
		}
		await editor().page.getByTestId('sticky').waitFor();
		await editor().screenshot(file);
	}
});
