import type { IDataObject } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import { CONTINUE, newDomain, outcomesIn, Stage, textOf, writesIn } from '../../helpers/support.ts';

/** A sheet over the own host, a branded and a shared domain, three nights. *Dry Run* says before each what then happens. */

const DIALECTS = [
	{},
	{ readsShort: 'no' },
	{ aliases: 'per-domain', aliasForm: 'as-sent', linkUpdate: 'merges', createReadsPlaces: 'no' },
] as const;

const MAINS = ['api', 'other'] as const;

const CASES = DIALECTS.flatMap((dialect) =>
	MAINS.map((mainDomain) => ({ ...dialect, mainDomain, sharedDomains: 'unlisted' as const })),
);

const SHARED = 'https://shared.example.net';

test.each(CASES)('%j', async (dialect) => {
	await using stage = await Stage.opened(dialect);
	const domain = await newDomain(stage);
	const hosts = [undefined, domain, SHARED];
	const rows: IDataObject[] = Array.from({ length: 40 }, (_, n) => ({
		url: `https://example.com/${n}`,
		...(n % 4 === 0 ? {} : { alias: stage.unique(`row_${n}`) }),
		...(hosts[n % 3] === undefined ? {} : { domain: hosts[n % 3] }),
	}));
	const credential = dialect.mainDomain === 'api' ? {} : { shortDomain: 'main.example.net' };
	const run = async (given: IDataObject[], dryRun: boolean) =>
		await stage.link(
			'link.upsert',
			{ mappingMode: 'autoMapInputData', options: { dryRun } },
			{ rows: given, settings: CONTINUE, credential },
		);
	let sheet = rows;
	for (const night of [1, 2, 3]) {
		const dry = await run(sheet, true);
		expect(writesIn(dry)).toEqual([]);
		const real = await run(sheet, false);
		const said = outcomesIn(dry).map((outcome) => String(outcome).replace('would be ', ''));
		expect(said).toEqual(outcomesIn(real));
		expect(outcomesIn(real)).toEqual(rows.map(() => (night === 1 ? 'created' : 'unchanged')));
		if (night > 1) expect(writesIn(real)).toEqual([]);
		// The results are written back.
		sheet = real.json;
	}
	const main = dialect.mainDomain === 'api' ? stage.sandbox.linkUrl : 'https://main.example.net';
	for (const [n, { id, shorturl }] of sheet.entries()) {
		expect(textOf(shorturl).startsWith(`${hosts[n % 3] ?? main}/`)).toBe(true);
		expect(record(stage.sandbox.stored('links', id)).longurl).toBe(rows[n]?.url);
	}
});
