import { DEMO } from '../../sandbox/demo.ts';
import type { ExampleStage } from './exampleStage.ts';
import { including, like } from './exampleStage.ts';
import { KEYS } from './keys.ts';

/** The examples that begin with a form. */

const CODES = DEMO.purchaseCodes;
const ADA = 'ada@example.com';
const EVE = 'eve@example.com';
const GRACE = 'grace@example.com';

function testOneCode(getStage: () => ExampleStage): void {
	const redeem = async (email: string, code: string) =>
		await getStage().submit('redeem-a-code', [email, code]);
	const free = async (code: string, password: string) =>
		await getStage().submit('free-a-code', [code], { username: 'support', password });
	const rowsOf = async (code: string) => {
		const rows = await (await getStage().table('Redeemed codes')).rows();
		return rows.filter((row) => row.code === code);
	};

	test('gives a code to the first customer, in whatever spelling, and to the next one when support has freed it', async () => {
		const code = getStage().sandbox.store.addPurchase(DEMO.itemId);
		expect(await redeem(EVE, 'not-a-code')).toEqual(like(/The store does not know this code/));
		expect(await redeem(ADA, code.toUpperCase())).toEqual(like(/Thank you/));
		const row = including({ code, customer: ADA, item: like(/Aurora/) });
		expect(await rowsOf(code)).toEqual([row]);
		expect(await redeem(EVE, code)).toEqual(like(/Somebody uses it already/));
		expect(await free(code, KEYS.mistyped)).toBe(401);
		expect(await rowsOf(code)).toEqual([row]);
		expect(await free(CODES.invalid, KEYS.support)).toEqual(like(/no such code/));
		expect(await free(` ${code.toUpperCase()} `, KEYS.support)).toEqual(like(/The code is free/));
		expect(await rowsOf(code)).toEqual([]);
		expect(await redeem(GRACE, code)).toEqual(like(/Thank you/));
		expect(await rowsOf(code)).toEqual([including({ customer: GRACE })]);
	});

	test('gives a code to one of two customers who send it at the same moment', async () => {
		const code = getStage().sandbox.store.addPurchase(DEMO.itemId);
		const customers = [ADA, GRACE];
		const endings = await Promise.all(customers.map(async (each) => await redeem(each, code)));
		const winners = customers.filter((_, at) => String(endings[at]).includes('Thank you'));
		expect(winners).toHaveLength(1);
		expect(await rowsOf(code)).toEqual([including({ customer: winners[0] })]);
	});
}

function testSupport(getStage: () => ExampleStage): void {
	const ask = async (code: string) =>
		await getStage().submit('purchase-support', [ADA, code, 'How?']);
	beforeEach(() => {
		getStage().posts.length = 0;
	});

	test('takes a question with a valid code, also one with the dash of a word processor', async () => {
		expect(await ask(` \u200b${CODES.valid.replace('-', '\u2013')}`)).toEqual(like(/Thank you/));
		const text = like(/^Question about Aurora.* from ada@example.com, 180 days .*: How\?$/);
		expect(getStage().posts).toEqual([{ text }]);
	});

	test.each([
		['cannot find this purchase', CODES.invalid],
		['another product', CODES.withoutSupport],
		['Your support has ended', CODES.supportEnded],
	])('says: %s', async (ending, code) => {
		expect(await ask(code)).toEqual(like(new RegExp(ending)));
		expect(getStage().posts).toEqual([]);
	});

	test('asks for patience when the store cannot be asked', async () => {
		getStage().sandbox.faults.add({ kind: 'login-redirect', service: 'store', times: 99 });
		expect(await ask(CODES.valid)).toEqual(like(/could not check your code/));
		expect(getStage().posts).toEqual([]);
	});
}

export function testForms(getStage: () => ExampleStage): void {
	describe.each([
		['one-code-one-customer.json', testOneCode],
		['purchase-support-form.json', testSupport],
	] as const)('%s', (file, testForm) => {
		let id: string;
		beforeAll(async () => {
			id = await getStage().publish(file);
		});
		afterAll(async () => await getStage().client.deactivate(id));
		testForm(getStage);
	});
}
