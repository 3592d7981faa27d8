import type { INodeParameters } from 'n8n-workflow';

import { readExamples } from '../../n8n-host/instance.ts';
import { Stage, onStage } from '../helpers/support.ts';

/** What the nodes of examples make of sheets on n8n's engine; the whole workflows run in test/e2e. */

const stage = onStage(new Stage());

async function upsert(file: string, rows: Array<Record<string, string>>) {
	const { nodes = [] } = (await readExamples()).get(file) ?? {};
	const node = nodes.find(({ parameters }) => parameters.operation === 'upsert');
	const settings = { onError: 'continueRegularOutput' as const };
	return await stage.link('link.upsert', node?.parameters as INodeParameters, { rows, settings });
}

test('sheet-to-links-every-night.json writes only the row that has changed', async () => {
	const row = { alias: 'a', url: 'https://example.com/a', utm_source: 'newsletter' };
	const rows = [row, { ...row, alias: 'b' }];
	await upsert('sheet-to-links-every-night.json', rows);
	rows[1] = { ...row, alias: 'b', url: 'https://example.com/new' };
	const { json, requests } = await upsert('sheet-to-links-every-night.json', rows);
	expect(json.map(({ outcome }) => outcome)).toEqual(['unchanged', 'updated']);
	expect(requests.filter(({ request }) => !request.startsWith('GET'))).toHaveLength(1);
});
