import { DEMO } from '../../sandbox/demo.ts';
import type { ExampleStage } from './exampleStage.ts';
import { KEYS } from './keys.ts';
import { including, like } from './matchers.ts';

export function testOneCode(getStage: () => ExampleStage): void {
	describe('one-code-one-customer.json', () => {
		let stage: ExampleStage;
		let id: string;
		beforeAll(async () => {
			stage = getStage();
			id = await stage.publish('one-code-one-customer.json');
		});
		afterAll(async () => await stage.n8n.client.deactivate(id));

		const redeem = async (email: string, code: string) =>
			await stage.submit('redeem-a-code', [email, code]);
		const rowsOf = async (code: string) => {
			const rows = await (await stage.table('Redeemed codes')).rows();
			return rows.filter((row) => row.code === code);
		};
		const free = async (code: string, password: string) =>
			await stage.submit('free-a-code', [code], { username: 'support', password });

		test('gives a code to the first customer, in whatever spelling, and to the next one when support has freed it', async () => {
			const code = stage.sandbox.store.addPurchase(DEMO.itemId);
			const refusal = like(/The store does not know this code/);
			expect(await redeem('eve@example.com', 'not-a-code')).toEqual(refusal);
			expect(await redeem('ada@example.com', code.toUpperCase())).toEqual(like(/Thank you/));
			const row = { code, customer: 'ada@example.com', item: like(/Aurora/) };
			expect(await rowsOf(code)).toEqual([including(row)]);
			expect(await redeem('eve@example.com', code)).toEqual(like(/Somebody uses it already/));
			expect(await rowsOf(code)).toEqual([including(row)]);

			expect(await free(code, KEYS.mistyped)).toBe(401);
			expect(await rowsOf(code)).toEqual([including(row)]);
			expect(await free(DEMO.purchaseCodes.invalid, KEYS.support)).toEqual(like(/no such code/));
			expect(await free(` ${code.toUpperCase()} `, KEYS.support)).toEqual(like(/The code is free/));
			expect(await rowsOf(code)).toEqual([]);
			expect(await redeem('grace@example.com', code)).toEqual(like(/Thank you/));
			expect(await rowsOf(code)).toEqual([including({ customer: 'grace@example.com' })]);
		});

		test('gives a code to one of two customers who send it at the same moment', async () => {
			const code = stage.sandbox.store.addPurchase(DEMO.itemId);
			const customers = ['ada@example.com', 'grace@example.com'];
			const endings = await Promise.all(
				customers.map(async (customer) => await redeem(customer, code)),
			);
			const winners = customers.filter((_, at) => String(endings[at]).includes('Thank you'));
			expect(winners).toHaveLength(1);
			const [customer] = winners;
			expect(await rowsOf(code)).toEqual([including({ customer })]);
		});
	});
}
