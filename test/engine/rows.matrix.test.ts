import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { A_NUMBER, like, onStage, Stage } from './support.ts';

/** What becomes of three rows, of which the service refuses the second, with every setting of the node. */

const stage = onStage(new Stage());

const ROWS = ['one', 'no alias', 'two'].map((alias) => ({
	...{ url: `https://example.com/${alias.length}`, alias, note: 'Spring', id: 'x7' },
	error: 'of an earlier step',
}));

const fields: INodeParameters = { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' };

interface Settings {
	onError: INode['onError'];
	includeInputFields: unknown;
	retryOnFail: boolean;
}

const SETTINGS: Settings[] = ([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)
	.flatMap((onError) => [false, true, ' TRUE '].map((include) => ({ onError, include })))
	.flatMap(({ onError, include }) =>
		[false, true].map((retryOnFail) => ({ onError, includeInputFields: include, retryOnFail })),
	);

test.each(SETTINGS)('$onError, $includeInputFields, $retryOnFail', async (settings) => {
	const { onError, includeInputFields, retryOnFail } = settings;
	const { customAlias, ...parameters } = fields;
	const rows = ROWS.map((row) => ({ ...row, alias: row.alias.replace(/e$|o$/, `$&-${count()}`) }));
	const { error, outputs, requests } = await stage.link(
		'link.create',
		{
			...parameters,
			additionalFields: { customAlias: customAlias ?? '' },
			options: { includeInputFields: includeInputFields as boolean },
		},
		{
			rows,
			settings: {
				...(onError ? { onError } : {}),
				...(retryOnFail ? { retryOnFail, maxTries: 2, waitBetweenTries: 1 } : {}),
			},
		},
	);
	const sent = requests.map(({ body }) => (body as IDataObject).custom);
	const aliases = rows.map(({ alias }) => alias);

	if (!onError) {
		expect(error?.message).toMatch(/\(item 2 of 3: 1 succeeded, 1 not sent\)$/);
		expect(outputs.flat()).toEqual([]);
		const [first, second] = aliases;
		expect(sent).toEqual(retryOnFail ? [first, second, second] : [first, second]);
		return;
	}
	const isIncluded = includeInputFields !== false;
	const isAlone = onError === 'continueErrorOutput';
	const linkOf = ({ error: _error, id, ...row }: (typeof rows)[number]) => ({
		...(isIncluded ? { ...row, input_id: id } : {}),
		...{ id: A_NUMBER, shorturl: like(/^http/), longurl: row.url, alias: row.alias },
	});
	const failedOf = ({ error: _error, ...row }: (typeof rows)[number]) => ({
		...(isIncluded || isAlone ? row : {}),
		error: like(/custom/),
	});
	const items = rows.map((row, item) => ({
		json: item === 1 ? failedOf(row) : linkOf(row),
		pairedItem: { item },
	}));
	expect(error).toBeUndefined();
	expect(sent).toEqual(aliases);
	const [, failed] = items;
	expect(outputs).toEqual(isAlone ? [items.filter((item) => item !== failed), [failed]] : [items]);
	const columns = items.filter((item) => item !== failed).map(({ json }) => Object.keys(json));
	expect(new Set(columns.map(String)).size).toBe(1);
});

let counted = 0;
const count = (): number => (counted += 1);
