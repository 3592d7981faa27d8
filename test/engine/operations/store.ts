import type { IDataObject } from 'n8n-workflow';

import type { Example, Fields, Sample } from '../operationSample.ts';
import { NONE, column, fresh, idColumn, named, several, withRecord } from '../operationSample.ts';
import type { Stage } from '../support.ts';
import { like, textOf } from '../support.ts';

const DAY_MS = 86_400_000;
const TIMESTAMP = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

async function newItem({ sandbox, storeAccount }: Stage): Promise<IDataObject> {
	const name = named('Item');
	return await Promise.resolve({ id: sandbox.store.addItem(storeAccount.id, { name }), name });
}

function itemOf({ id, name }: IDataObject): Fields {
	const media = 'https://media.example';
	return {
		id,
		name,
		description: `${textOf(name)}, ready to use.`,
		category: 'Themes',
		sub_category: 'Shop',
		options: ['Documentation', 'Responsive'],
		version: '1.0.0',
		demo_link: like(/^https:\/\/demo\.example\//),
		tags: ['shop', 'theme'],
		media: { thumbnail: `${media}/thumbnail.svg`, preview_image: `${media}/preview.svg` },
		price: { regular: 29, extended: 249 },
		currency: 'USD',
		published_at: TIMESTAMP,
	};
}

/** A purchase, and the item that was bought; `days`: of support that are left, null: without support. */
export function newPurchase({ sandbox, storeAccount }: Stage, days: number | null): IDataObject {
	const name = named('Item');
	const id = sandbox.store.addItem(storeAccount.id, { name, screenshots: true });
	const supportedUntil =
		days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19) + 'Z';
	return { id, name, code: sandbox.store.addPurchase(id, { supportedUntil }) };
}

/** What comes of a valid code. */
const validOf = (row: IDataObject, members: Fields): Fields => ({
	valid: true,
	reason: null,
	purchase_code: row.code,
	license_type: 'Regular License',
	price: 29,
	currency: 'USD',
	item: {
		...itemOf(row),
		media: expect.objectContaining({ screenshots: expect.any(Array) as unknown }) as unknown,
	},
	supported_until: TIMESTAMP,
	downloaded: false,
	date: TIMESTAMP,
	...members,
});

/** What comes of an invalid code: the members of a valid one. */
const invalidOf = ({ code }: IDataObject, members: Fields = {}): Fields => ({
	...{ valid: false, purchase_code: code, reason: 'Invalid purchase code' },
	...{ license_type: null, price: null, currency: null, item: null },
	...{ supported_until: null, downloaded: null, date: null },
	...{ support_active: false, support_days_left: null },
	...members,
});

const NO_SUPPORT = { support_active: false, support_days_left: 0 };

const expectingItem = (how: string, value: string, matches: boolean): Example => ({
	title: `says whether the code is for the expected item, given ${how}`,
	parameters: { options: { expectedItemId: { __rl: true, mode: 'id', value } } },
	rows: async (stage) => await Promise.resolve([newPurchase(stage, -1)]),
	output: (row) => validOf(row, { ...NO_SUPPORT, item_matches: matches }),
});

export const STORE: Record<string, Record<string, Sample>> = {
	account: {
		get: {
			kind: 'read',
			request: 'GET /api/account/details',
			parameters: {},
			rows: fresh(() => ({})),
			output(_row, { email }) {
				return {
					name: { firstname: 'Robin', lastname: 'Vale', full_name: 'Robin Vale' },
					username: email.split('@')[0],
					email,
					balance: 0,
					currency: 'USD',
					profile: {
						heading: 'Small tools, well made',
						description: 'Themes, scripts and sounds for web shops.',
						contact: { email },
						social_links: { facebook: 'robinvale', website: 'https://robinvale.example' },
						media: { avatar: like(/^https:/), cover: like(/^https:/) },
					},
					registered_at: TIMESTAMP,
				};
			},
		},
	},
	item: {
		get: {
			kind: 'read',
			request: 'GET /api/items/item',
			parameters: { itemId: idColumn('id') },
			rows: withRecord(newItem),
			query: ({ id }) => ({ item_id: String(Number(id)) }),
			output: (row) => itemOf(row),
			refused: { row: { id: NONE }, message: 'Item Not Found', status: 404 },
		},
		getAll: {
			kind: 'list',
			request: 'GET /api/items/all',
			parameters: { returnAll: true },
			rows: async (stage, count) => [
				{ records: await several(count, async () => await newItem(stage)) },
			],
			output: ({ records }) => (records as IDataObject[]).toReversed().map((row) => itemOf(row)),
			examples: [
				{
					title: 'keeps to the limit',
					parameters: { returnAll: false, limit: 1 },
					rows: async (stage) => [{ records: [await newItem(stage), await newItem(stage)] }],
					output: ({ records }) => [itemOf((records as IDataObject[])[1] ?? {})],
				},
				{ title: 'gives nothing of an account that has none', rows: [{}], output: [] },
			],
		},
	},
	purchase: {
		validate: {
			kind: 'validate',
			request: 'POST /api/purchases/validation',
			parameters: { purchaseCode: column('code'), options: {} },
			rows: async (stage, count) =>
				// Half a day more: a clock that is an hour ahead counts the same days.
				await several(count, () => newPurchase(stage, 10.5)),
			body: ({ code }) => ({ purchase_code: code }),
			output: (row) => validOf(row, { support_active: true, support_days_left: 11 }),
			refused: {
				row: { code: 'never-sold' },
				parameters: { options: { onInvalid: 'error' } },
				message: 'Invalid purchase code',
				status: 404,
				advice: like(/^(It may have been deleted|Check the values)/),
			},
			examples: [
				{
					title: 'gives the reason for an invalid code',
					parameters: { options: { expectedItemId: '1' } },
					rows: [{ code: 'never-sold' }],
					output: (row) => invalidOf(row, { item_matches: false }),
				},
				{
					title: 'counts the days of support by the clock of the store',
					rows: async (stage) => await Promise.resolve([newPurchase(stage, 60 / 86_400)]),
					output(row, stage) {
						const isOver = stage.dialect.clockSkew > 60;
						const active = { support_active: true, support_days_left: 1 };
						return validOf(row, isOver ? NO_SUPPORT : active);
					},
				},
				{
					title: 'calls a code valid whose support has ended',
					rows: async (stage) => await Promise.resolve([newPurchase(stage, -1)]),
					output: (row) => validOf(row, NO_SUPPORT),
				},
				{
					title: 'calls a code valid that has no support, and says nothing of an item',
					parameters: { options: { expectedItemId: '' } },
					rows: async (stage) => await Promise.resolve([newPurchase(stage, null)]),
					output: (row) =>
						validOf(row, {
							...NO_SUPPORT,
							supported_until: null,
							item_matches: null,
						}),
				},
				expectingItem('as a number', column('id'), true),
				expectingItem('as a text', '={{ `${$json.id}` }}', true),
				expectingItem('another one', '={{ $json.id + 1 }}', false),
				expectingItem('several', '={{ `${$json.id + 1}, ${$json.id}` }}', true),
				expectingItem('an array', '={{ [$json.id + 1, $json.id] }}', true),
				expectingItem('several others', '={{ [$json.id + 1, $json.id + 2] }}', false),
			],
		},
	},
};
