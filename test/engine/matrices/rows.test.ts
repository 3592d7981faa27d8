import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { A_NUMBER, byId, like, onStage, Stage } from '../helpers/support.ts';

/** What becomes of three rows, of which the service refuses the second, with every setting of the node. */

const stage = onStage(new Stage());

const ROWS = ['one', 'no alias', 'two'].map((alias) => ({
	url: `https://example.com/${alias.length}`,
	alias,
	note: 'Spring',
	id: 'x7',
	error: 'of an earlier step',
}));

/** How the fields are filled: from expressions, or from the columns of the rows. */
const MAPPINGS: Record<string, INodeParameters> = {
	defineBelow: { url: '={{ $json.url }}', customAlias: '={{ $json.alias }}' },
	autoMapInputData: {},
};

const OPERATIONS = ['link.create', 'link.upsert'];

interface Settings {
	operation: string;
	onError: INode['onError'];
	mappingMode: string;
	includeInputFields: boolean;
	retryOnFail: boolean;
}

const SETTINGS: Settings[] = OPERATIONS.flatMap((operation) =>
	([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const).flatMap((onError) =>
		Object.keys(MAPPINGS).flatMap((mappingMode) =>
			[false, true].flatMap((includeInputFields) =>
				[false, true].map((retryOnFail) => ({
					operation,
					onError,
					mappingMode,
					includeInputFields,
					retryOnFail,
				})),
			),
		),
	),
);

test.each(SETTINGS)('%j', async (settings) => {
	const { operation, onError, mappingMode, includeInputFields, retryOnFail } = settings;
	const rows = ROWS.map((row) => ({ ...row, alias: row.alias.replace(/e$|o$/, `$&-${count()}`) }));
	const parameters = {
		mappingMode,
		...MAPPINGS[mappingMode],
		options: { includeInputFields: `={{ " ${String(includeInputFields).toUpperCase()} " }}` },
	};
	const { error, outputs, requests } = await stage.link(operation, parameters, {
		rows,
		settings: {
			...(onError ? { onError } : {}),
			...(retryOnFail ? { retryOnFail, maxTries: 2, waitBetweenTries: 1 } : {}),
		},
	});
	const writes = requests.filter(({ request }) => request.startsWith('POST'));
	const sent = writes.map(({ body }) => (body as IDataObject).custom);
	const aliases = rows.map(({ alias }) => alias);

	if (!onError) {
		expect(error?.message).toMatch(/\(item 2 of 3: 1 succeeded, 1 not sent\)$/);
		expect(outputs.flat()).toEqual([]);
		const [first, second] = aliases;
		expect(sent).toEqual(retryOnFail ? [first, second, second] : [first, second]);
		return;
	}
	const isIncluded = includeInputFields || mappingMode === 'autoMapInputData';
	const isAlone = onError === 'continueErrorOutput';
	const linkOf = ({ error: _error, id, ...row }: (typeof rows)[number]) => ({
		...(isIncluded ? { ...row, input_id: id } : {}),
		id: A_NUMBER,
		shorturl: like(/^http/),
		longurl: row.url,
		alias: row.alias,
		...(operation === 'link.upsert' ? { clicks: 0, date: null, outcome: 'created' } : {}),
	});
	const noLink = {
		shorturl: null,
		longurl: null,
		...(operation === 'link.upsert' ? { clicks: null, date: null, outcome: 'failed' } : {}),
	};
	const failedOf = ({ error: _error, ...row }: (typeof rows)[number]) => ({
		...(isIncluded || isAlone ? row : {}),
		...(isIncluded && !isAlone ? noLink : {}),
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
	const columns = outputs.flat().map(({ json }) => Object.keys(json));
	if (!isIncluded || isAlone) return;
	// Whichever row is first, a table has the same columns in the same order.
	const [first = [], ofFailed = [], last] = columns;
	expect(last).toEqual(first);
	expect(ofFailed).toEqual([...first.filter((name) => name !== 'input_id'), 'error']);
});

let counted = 0;
const count = (): number => (counted += 1);

/** Rows of a run that may be about one link, and what becomes of the second. */
const SECOND_ROWS = {
	'says the same': { changes: {}, outcome: 'unchanged' },
	'leads elsewhere': { changes: { url: 'https://example.com/elsewhere' }, outcome: undefined },
	'has another alias': { changes: { alias: 'other' }, outcome: undefined },
	'is another link': { changes: { url: 'https://example.com/2', alias: 'other' }, outcome: 'new' },
} as const;

const DUPLICATES = Object.entries(SECOND_ROWS).flatMap(([which, second]) =>
	(['alias', 'longUrl'] as const).flatMap((matchBy) =>
		(['update', 'keep'] as const).flatMap((ifExists) =>
			[false, true].map((exists) => ({ which, matchBy, ifExists, exists, ...second })),
		),
	),
);

test.each(DUPLICATES)(
	'the second row $which, matched by $matchBy, $ifExists, link there before: $exists',
	async ({ which, matchBy, ifExists, exists, changes, outcome }) => {
		const unique = (alias: string): string => `${alias}-${counted}`;
		count();
		const first = { url: `https://example.com/first-${counted}`, alias: unique('first') };
		const second = { ...first, ...changes };
		if ('alias' in changes) second.alias = unique(changes.alias);
		if (exists) await stage.make('/api/url/add', { url: first.url, custom: first.alias });
		const parameters = { ...MAPPINGS.defineBelow, matchBy, ifExists };
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await stage.link('link.upsert', parameters, {
			rows: [first, second],
			settings,
		});

		// Another alias is another link where links are matched by alias, another address where they are matched by address.
		const isOther = which === (matchBy === 'alias' ? 'has another alias' : 'leads elsewhere');
		const made = exists ? 'unchanged' : 'created';
		const expected = outcome === 'new' ? 'created' : outcome;
		if (isOther && matchBy === 'longUrl') {
			// The alias is taken by the link of the first row, so the service refuses it.
			expect(json).toMatchObject([{ outcome: made }, { error: like(/alias/) }]);
			return;
		}
		expect(json.map((row) => row.outcome)).toEqual([made, isOther ? 'created' : expected]);
		if (expected === undefined && !isOther)
			expect(json[1]?.error).toMatch(/^(Custom Alias|URL) \S+ is already in item 1\. /);
	},
);

/** Two rows for each operation that can output its rows: one that succeeds, and one that fails. */
const WITH_ROWS: Record<string, () => Promise<[INodeParameters, good: unknown, bad: unknown]>> = {
	'campaign.assignLink': async () => [
		{ campaignId: byId(await madeId('campaign')), assignedLinkId: byId('={{ $json.value }}') },
		await madeId('url'),
		'x/y',
	],
	'channel.assignItem': async () => [
		{ channelId: byId(await madeId('channel')), itemId: byId('={{ $json.value }}') },
		await madeId('url'),
		0,
	],
	'purchase.validate': async () =>
		await Promise.resolve([
			{ purchaseCode: '={{ $json.value }}' },
			stage.sandbox.store.addPurchase(stage.sandbox.store.addItem(stage.storeAccount.id)),
			'',
		]),
};

const madeId = async (what: string): Promise<number> =>
	await stage.make(`/api/${what}/add`, {
		name: `Spring ${count()}`,
		url: 'https://example.com/row',
	});

test.each(Object.keys(WITH_ROWS))(
	'%s has the same columns in each row, whichever is first',
	async (name) => {
		const [parameters = {}, good, bad] = (await WITH_ROWS[name]?.()) ?? [];
		const run = async (values: unknown[]) => {
			const rows = values.map((value) => ({ value, owner: 'Ann' }) as IDataObject);
			const given = { ...parameters, options: { includeInputFields: true } };
			const settings = { onError: 'continueRegularOutput' } as const;
			const node = name.startsWith('purchase') ? 'store' : 'linkManagement';
			return (await stage.run(node, name, given, { rows, settings })).json;
		};
		const [succeeded = {}, failed = {}] = await run([good, bad]);
		expect(succeeded.owner).toBe('Ann');
		expect(failed.error).toMatch(/\S/);
		expect(Object.keys(failed)).toEqual([...Object.keys(succeeded), 'error']);
		expect((await run([bad, good])).map((row) => Object.keys(row).join())).toEqual(
			[failed, succeeded].map((row) => Object.keys(row).join()),
		);
	},
);
