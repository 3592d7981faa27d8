import { presetDialect } from '../../sandbox/dialects.ts';
import { DEMO } from '../../sandbox/sandbox.ts';
import { callStore, member, sandboxForTests } from './clients.ts';
import { isObject } from './shapes.ts';

const sandbox = sandboxForTests();
const get = (endpoint: string, parameters?: Record<string, string | number>) =>
	callStore(sandbox(), presetDialect('documented'), endpoint, parameters);
const purchase = async (code: string) => {
	const { data } = await get('POST /api/purchases/validation', { purchase_code: code });
	return member(data, 'data', 'purchase');
};

const namesIn = (value: unknown): string[] => (isObject(value) ? Object.keys(value).sort() : []);

describe('The demo store', () => {
	test('has items of every media kind, each with the previews that it may have', async () => {
		const { data } = await get('GET /api/items/all');
		const items = member(data, 'items');
		const previews = (Array.isArray(items) ? items : []).map((item: unknown) => [
			member(item, 'name'),
			namesIn(member(item, 'media')),
		]);
		expect(Object.fromEntries(previews)).toEqual({
			'Aurora Shop Theme': ['preview_image', 'screenshots', 'thumbnail'],
			'Northern Lights Footage': ['preview_image', 'preview_video', 'thumbnail'],
			'Calm Piano Loop': ['preview_audio', 'thumbnail'],
			'Invoice Script': ['preview_image', 'thumbnail'],
		});
	});

	test('knows whether a purchase was downloaded, and holds the whole item', async () => {
		const { data } = await get('GET /api/items/item', { item_id: 3 });
		const item = member(data, 'item');
		const { withoutSupport, valid } = DEMO.purchaseCodes;
		expect(await purchase(withoutSupport)).toMatchObject({ downloaded: false, item });
		expect(await purchase(valid)).toMatchObject({ purchase_code: valid, downloaded: true });
	});

	test.each([
		...[DEMO.purchaseCodes.invalid, DEMO.purchaseCodes.otherAccount, '', ' '].map(
			(code) => ['POST /api/purchases/validation', 'Invalid purchase code', code] as const,
		),
		...['', 'abc', '-1', '1e3', '99999999999999999999'].map(
			(id) => ['GET /api/items/item', 'Item Not Found', id] as const,
		),
	])('%s is answered %s for "%s"', async (endpoint, msg, value) => {
		const { data } = await get(endpoint, { purchase_code: value, item_id: value });
		expect(data).toEqual({ status: 'error', msg });
	});
});
