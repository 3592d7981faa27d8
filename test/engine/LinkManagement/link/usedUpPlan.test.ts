import { CONTINUE, outcomesIn, Stage, writesIn } from '../../helpers/support.ts';

/** A plan whose number of links is used up amid a sheet. */

const PLANS = ['used-up', 'used-up-message', 'used-up-429'] as const;

test.each(PLANS.flatMap((plan) => [true, false].map((hasAlias) => ({ plan, hasAlias }))))(
	'$plan ends the run after five refusals, also with aliases: $hasAlias',
	async ({ plan, hasAlias }) => {
		await using stage = await Stage.opened({ plan, planLinks: 3 });
		const rows = Array.from({ length: 30 }, (_, n) => ({
			url: `https://example.com/${n}`,
			...(hasAlias ? { alias: stage.unique(`row-${n}`) } : {}),
		}));
		const parameters = { mappingMode: 'autoMapInputData' };
		const result = await stage.link('link.upsert', parameters, { rows, settings: CONTINUE });
		expect(outcomesIn(result).filter((outcome) => outcome === 'created')).toHaveLength(3);
		expect(writesIn(result).length).toBeLessThanOrEqual(9);
		expect(result.json.at(-1)?.error).toMatch(/^Not sent: .+ number of records in your plan/);
	},
);
