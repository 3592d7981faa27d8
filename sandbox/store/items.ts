import { flag, integer, text } from '../database.ts';
import type { Row } from '../database.ts';
import { Failure } from '../failure.ts';
import { readText } from '../input.ts';
import type { Fields } from '../input.ts';
import type { StoreContext, StoreRoute } from './routes.ts';

/** The kind of an item decides which previews it has. */
export type MediaKind = 'image' | 'video' | 'audio';

const SCREENSHOTS = 3;

/** The sandbox draws pictures, but has no films and no sounds. */
const CLIPS = 'https://clips.example';

export function itemRoutes({ database, dialect, baseUrl }: StoreContext): StoreRoute[] {
	const all = database.prepare('SELECT * FROM items WHERE account_id = ? ORDER BY id DESC');
	const find = database.prepare('SELECT * FROM items WHERE account_id = ? AND id = ?');

	return [
		{
			method: 'GET',
			path: '/api/items/all',
			answer({ accountId }) {
				const items = all.all(accountId).map((row) => itemOf(row, baseUrl()));
				if (items.length === 0 && dialect.noItems === 'error') {
					throw new Failure(404, 'No items found');
				}
				return { items };
			},
		},
		{
			method: 'GET',
			path: '/api/items/item',
			answer({ accountId, parameters }) {
				const id = readText(parameters, 'item_id') ?? '';
				const row = /^\d{1,15}$/.test(id) ? find.get(accountId, Number(id)) : undefined;
				if (!row) throw new Failure(404, 'Item Not Found');
				return { item: itemOf(row, baseUrl()) };
			},
		},
	];
}

/** A row of the items table as "Item". */
export function itemOf(row: Row, baseUrl: string): Fields {
	return {
		id: integer(row, 'id'),
		name: text(row, 'name'),
		description: text(row, 'description'),
		category: text(row, 'category'),
		sub_category: text(row, 'sub_category'),
		options: JSON.parse(text(row, 'options')),
		version: text(row, 'version'),
		demo_link: text(row, 'demo_link'),
		tags: JSON.parse(text(row, 'tags')),
		media: mediaOf(row, `${baseUrl}/media/items/${integer(row, 'id')}`),
		price: { regular: row.price_regular, extended: row.price_extended },
		currency: text(row, 'currency'),
		published_at: text(row, 'published_at'),
	};
}

/** The previews that the document says are present for the kind of item. */
function mediaOf(row: Row, folder: string): Fields {
	const kind = text(row, 'media_kind');
	const numbers = Array.from({ length: SCREENSHOTS }, (_, index) => index + 1);
	return {
		thumbnail: `${folder}/thumbnail.svg`,
		...(kind === 'audio' ? {} : { preview_image: `${folder}/preview.svg` }),
		...(kind === 'video' ? { preview_video: `${CLIPS}/${integer(row, 'id')}.mp4` } : {}),
		...(kind === 'audio' ? { preview_audio: `${CLIPS}/${integer(row, 'id')}.mp3` } : {}),
		...(flag(row, 'screenshots')
			? { screenshots: numbers.map((number) => `${folder}/screenshot-${number}.svg`) }
			: {}),
	};
}
