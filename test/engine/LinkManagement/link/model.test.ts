import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { record } from '../../../n8n-host/json.ts';
import {
	CONTINUE,
	newDomain,
	outcomesIn,
	recordsOf,
	Stage,
	textOf,
} from '../../helpers/support.ts';
import { seeded } from '../../../seeds.ts';

/** Any sheet, run three nights with its results written back: no link is lost, doubled or on a wrong host. */

const DIALECTS = [
	{},
	{ aliases: 'per-domain', readsShort: 'no' },
	{ aliases: 'per-domain', aliasForm: 'as-sent', linkUpdate: 'merges', createReadsPlaces: 'no' },
	{ sameUrl: 'existing', maxLimit: '7' },
] as const;

const ROWS = fc.array(
	fc.record(
		{
			url: fc.constantFrom('a', 'b', 'c').map((page) => `https://example.com/${page}`),
			alias: fc.constantFrom('spring sale', 'spring-sale', 'Spring_Sale', 'menu'),
			isBranded: fc.boolean(),
			title: fc.constantFrom('One', 'Two'),
		},
		{ requiredKeys: ['url', 'isBranded'] },
	),
	{ minLength: 1, maxLength: 6 },
);

const hostOf = (shortUrl: unknown): string => new URL(textOf(shortUrl)).host;

async function run(stage: Stage, rows: IDataObject[], dryRun: boolean) {
	const parameters = { mappingMode: 'autoMapInputData', options: { dryRun } };
	return await stage.link('link.upsert', parameters, { rows, settings: CONTINUE });
}

/** Only the service knows that an alias is taken on another domain, or that it keeps one link for each URL. */
const isRefused = ({ error }: IDataObject): boolean =>
	typeof error === 'string' && /taken|older link/.test(error);

test.each(DIALECTS)(
	'%j',
	async (dialect) => {
		await using stage = await Stage.opened(dialect);
		const property = fc.asyncProperty(ROWS, async (drawn) => {
			stage.enter();
			const domain = await newDomain(stage);
			const rows: IDataObject[] = drawn.map(({ isBranded, ...row }) => ({
				...row,
				...(row.alias === undefined ? {} : { alias: stage.unique(row.alias) }),
				...(isBranded ? { domain } : {}),
			}));
			let sheet = rows;
			let before: unknown;
			for (const night of [1, 2, 3]) {
				const dry = await run(stage, sheet, true);
				const real = await run(stage, sheet, false);
				const said = outcomesIn(dry).map((outcome) => String(outcome).replace('would be ', ''));
				for (const [n, row] of real.json.entries()) {
					if (isRefused(row)) continue;
					expect([night, n, said[n]]).toEqual([night, n, row.outcome]);
					if (row.outcome === 'failed') continue;
					const wanted =
						drawn[n]?.isBranded === true ? hostOf(domain) : hostOf(stage.sandbox.linkUrl);
					expect(hostOf(row.shorturl)).toBe(wanted);
					expect(record(stage.sandbox.stored('links', row.id)).longurl).toBe(rows[n]?.url);
				}
				const links = await recordsOf(stage, '/api/urls');
				if (night > 1) expect(links).toEqual(before);
				before = links;
				sheet = real.json;
			}
		});
		await fc.assert(property, seeded(5));
	},
	600_000,
);
