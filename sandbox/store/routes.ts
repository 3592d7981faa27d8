import type { Dialect } from '../dialects.ts';
import { Failure } from '../faults.ts';
import { type Fields, fieldsOf, isoTimestamp, textIn } from '../fields.ts';
import { type Tables, usernameOf } from '../records.ts';

/** The four endpoints of the store document. */

interface StoreRoute {
	/** The parameter that it needs beside the key. */
	needs?: 'item_id' | 'purchase_code';
	/** What the document says of a failure of this endpoint. */
	failure: readonly [status: number, message: string];
	/** Returns the members beside `status`; undefined: the failure. Parameters may come in the query or the body. */
	answer: (accountId: number, parameters: Fields) => Fields | undefined;
}

const SOCIAL_LINKS = { facebook: 'robinvale', website: 'https://robinvale.example' };

/** Pictures and clips that nobody serves. */
export const MEDIA = 'https://media.example';

/** By method and path, as the document prints them. */
export const storeRoutes = (tables: Tables, dialect: Dialect): Record<string, StoreRoute> => ({
	'GET /api/account/details': {
		failure: [401, 'Invalid request'],
		answer: (accountId) => ({ data: detailsOf(tables.storeAccounts.get(0, accountId), dialect) }),
	},
	'GET /api/items/all': {
		failure: [404, 'No items found'],
		answer(accountId) {
			const limit = tables.items.count(accountId);
			const fewest = { error: 1, empty: 0, 'error-below-two': 2 }[dialect.noItems];
			if (limit < fewest) return undefined;
			const range = { order: ['id'], descending: true, limit, offset: 0 };
			const items = tables.items.page(accountId, range);
			return { items: items.map((item) => shown(item, dialect)) };
		},
	},
	'GET /api/items/item': {
		failure: [404, 'Item Not Found'],
		needs: 'item_id',
		answer(accountId, { item_id }) {
			const item = tables.items.own(accountId, item_id);
			return item && { item: shown(item, dialect) };
		},
	},
	'POST /api/purchases/validation': {
		failure: [404, 'Invalid purchase code'],
		needs: 'purchase_code',
		answer(accountId, { purchase_code }) {
			const collation = dialect.storeShapes === 'installed' ? 'COLLATE NOCASE' : '';
			const condition = `record ->> 'purchase_code' = ? ${collation}`;
			const sold = tables.purchases.first(condition, String(purchase_code).trim());
			const { id: _id, item_id, broken, ...found } = sold ?? {};
			// A code of another account's item is unknown here.
			const item = tables.items.own(accountId, item_id);
			if (!item) return undefined;
			if (broken === true) throw new Failure(500, 'Server error');
			const license_type = translated(String(found.license_type), dialect);
			const purchase = { ...found, license_type, item: shown(item, dialect) };
			if (dialect.purchasePlace === 'data.purchase') return { data: { purchase } };
			return { [dialect.purchasePlace]: purchase };
		},
	},
});

/** @throws Failure if a parameter is missing, or is no number where it has to be one */
export function checkParameter(name: string, parameters: Fields): void {
	const value = textIn(parameters, name) ?? '';
	const isRight = name === 'item_id' ? /^\d+$/.test(value) : value !== '';
	if (!isRight) throw new Failure(400, `The ${name.replaceAll('_', ' ')} field is required.`);
}

/** An item as the dialect writes it. */
function shown(item: Fields, { storeShapes }: Dialect): Fields {
	if (storeShapes === 'documented') return item;
	const { screenshots, ...media } = fieldsOf(item.media);
	const listed = Array.isArray(screenshots)
		? { screenshots: Object.fromEntries(screenshots.entries()) as Fields }
		: {};
	return { ...item, tags: String(item.tags), media: { ...media, ...listed } };
}

/** "Account (`data` of account details)" */
function detailsOf(account: Fields, { storeShapes }: Dialect): Fields {
	return {
		name: { firstname: 'Robin', lastname: 'Vale', full_name: 'Robin Vale' },
		username: usernameOf(account),
		email: account.email,
		balance: account.balance,
		currency: 'USD',
		profile: {
			heading: 'Small tools, well made',
			description: 'Themes, scripts and sounds for web shops.',
			contact: { email: account.email },
			social_links: storeShapes === 'installed' ? null : SOCIAL_LINKS,
			media: { avatar: `${MEDIA}/avatar.svg`, cover: `${MEDIA}/cover.svg` },
		},
		registered_at: isoTimestamp(Number(account.registered)),
	};
}

/** What the store says, as a service in Brazil has it. */
const PORTUGUESE: Record<string, string> = {
	success: 'sucesso',
	error: 'erro',
	'Invalid request': 'Pedido inválido',
	'No items found': 'Nenhum item encontrado',
	'Item Not Found': 'Item não encontrado',
	'Invalid purchase code': 'Código de compra inválido',
	'The api key field is required.': 'O campo chave da API é obrigatório.',
	'The item id field is required.': 'O campo ID do item é obrigatório.',
	'The purchase code field is required.': 'O campo código de compra é obrigatório.',
	'A valid API key is required to use this service.': 'É necessária uma chave de API válida.',
	'Regular License': 'Licença regular',
	'Extended License': 'Licença estendida',
};

/** The text in the language of the dialect; a text that has no translation stays. */
export const translated = (text: string, { storeLanguage }: Dialect): string =>
	(storeLanguage === 'portuguese' ? PORTUGUESE[text] : undefined) ?? text;
