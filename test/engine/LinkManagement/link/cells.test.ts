import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, like, onStage, Stage } from '../../helpers/support.ts';

/** Cells of Airtable and Baserow: a list or a map with one value is that value, in every column; several are refused by name. */

const stage = onStage(new Stage());

test('a cell with one value fills its field, and one with several is refused', async () => {
	const name = stage.unique('Spring');
	const campaign = await stage.make('/api/campaign/add', { name });
	const page = (path: string) => `https://example.com/${stage.unique(path)}`;
	const [one, two] = [page('one'), page('two')];
	const rows = [
		{ URL: { id: 7, value: one }, Campaign: [name], 'UTM Source': [{ name: 'mail' }], Domain: [] },
		{ URL: [two], Campaign: [{ id: 7, value: name }], Alias: [''] },
		{ URL: page('several'), Campaign: [name, 'Summer'] },
		{ URL: [page('a'), page('b')], Campaign: name },
	];
	const { json, requests } = await stage.link(
		'link.upsert',
		{ mappingMode: 'autoMapInputData' },
		{ rows, settings: CONTINUE },
	);
	expect(json).toMatchObject([
		{ outcome: 'created' },
		{ outcome: 'created' },
		{ error: like(/^Column "Campaign" has 2 values instead of one/) },
		{ error: like(/^Column "URL" has 2 values instead of one/) },
	]);
	const urls = requests
		.filter(({ request }) => request === 'POST /api/url/add')
		.map(({ body }) => (body as IDataObject).url);
	expect(urls).toEqual([`${one}?utm_source=mail`, two]);
	const assigned = requests.filter(({ request }) =>
		request.startsWith(`POST /api/campaign/${campaign}/assign/`),
	);
	expect(assigned).toHaveLength(2);
});
