import { onStage, Stage } from '../../helpers/support.ts';
import { CONTINUE, sell } from './stores.ts';

/** A night's check of many codes costs at most two requests more than there are codes. `NIGHT_CODES=10000` checks as many. */

const COUNT = Number(process.env.NIGHT_CODES ?? 200);

const stage = onStage(new Stage({ storeKeyWords: 'endpoint', invalidPurchase: '404' }));

const night = (isInvalid: (at: number) => boolean) =>
	Array.from({ length: COUNT }, (_, at) => ({ isInvalid: isInvalid(at) }));

test.each([
	['all are valid', night(() => false)],
	['all are invalid', night(() => true)],
	['the first is invalid', night((at) => at === 0)],
	['the last is invalid', night((at) => at === COUNT - 1)],
	['every tenth is invalid', night((at) => at % 10 === 9)],
	['half of them are invalid, one after the other', night((at) => at >= COUNT / 2)],
	['they come in blocks', night((at) => Math.floor(at / 20) % 2 === 0)],
])(
	'%s',
	async (_what, codes) => {
		const genuine = sell(stage);
		for (const knownValidCode of [undefined, sell(stage)]) {
			const { json, requests } = await stage.store(
				'purchase.validate',
				{ purchaseCode: '={{ $json.code }}' },
				{
					...CONTINUE,
					rows: codes.map(({ isInvalid }, at) => ({ code: isInvalid ? `never-${at}` : genuine })),
					credential: { ...(knownValidCode && { knownValidCode }) },
				},
			);
			expect(json.map(({ valid }) => valid)).toEqual(codes.map(({ isInvalid }) => !isInvalid));
			expect(requests.length).toBeLessThanOrEqual(COUNT + 2);
		}
	},
	600_000,
);
