import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, isoTimestamp } from '../clock.ts';
import type { Fields } from '../input.ts';
import { Records } from '../records.ts';
import { MEDIA } from './routes.ts';

export interface NewItem {
	name?: string;
	screenshots?: boolean;
	/** Other members of "Item", as the document names them. */
	[member: string]: unknown;
}

export interface NewPurchase {
	/** Default: a random one. */
	code?: string;
	license?: string;
	price?: number;
	/** ISO 8601; null (the default) when support is disabled or not offered. */
	supportedUntil?: string | null;
	downloaded?: boolean;
	/** ISO 8601; default: now. */
	date?: string;
}

/** What happens at a store outside its API: people publish items and buy them. */
export class Catalogue {
	readonly #database: DatabaseSync;
	readonly #clock: Clock;
	readonly #items: Records;
	readonly #purchases: Records;

	constructor(database: DatabaseSync, clock: Clock) {
		this.#database = database;
		this.#clock = clock;
		this.#items = new Records(database, 'items', 'item');
		this.#purchases = new Records(database, 'purchases', 'purchase');
	}

	/** Publishes an item of an account, and returns its id. */
	addItem(accountId: number, given: NewItem = {}): number {
		const { name = 'Storefront Theme', screenshots = false, ...members } = given;
		return this.#items.add(accountId, {
			name,
			description: `${name}, ready to use.`,
			category: 'Themes',
			sub_category: 'Shop',
			options: ['Documentation', 'Responsive'],
			version: '1.0.0',
			demo_link: `https://demo.example/${encodeURIComponent(name.toLowerCase())}`,
			tags: ['shop', 'theme'],
			media: {
				thumbnail: `${MEDIA}/thumbnail.svg`,
				preview_image: `${MEDIA}/preview.svg`,
				...(screenshots ? { screenshots: [1, 2, 3].map((at) => `${MEDIA}/${at}.svg`) } : {}),
			},
			price: { regular: 29, extended: 249 },
			currency: 'USD',
			published_at: isoTimestamp(this.#clock()),
			...members,
		});
	}

	/** Changes members of an item. */
	changeItem(itemId: number, members: Fields): void {
		this.#items.change(this.#items.first('id = ?', itemId) ?? {}, members);
	}

	/** Moves an item to another account. */
	giveItem(itemId: number, accountId: number): void {
		this.#database.prepare('UPDATE items SET account_id = ? WHERE id = ?').run(accountId, itemId);
	}

	/** Sells an item, and returns the purchase code. */
	addPurchase(itemId: number, purchase: NewPurchase = {}): string {
		const { code = randomUUID(), license = 'Regular License', price = 29 } = purchase;
		const { supportedUntil, downloaded = false, date = isoTimestamp(this.#clock()) } = purchase;
		this.#purchases.add(0, {
			purchase_code: code,
			item_id: itemId,
			license_type: license,
			price,
			currency: 'USD',
			...(supportedUntil ? { supported_until: supportedUntil } : {}),
			downloaded,
			date,
		});
		return code;
	}

	/** Takes a purchase back, as a refund does: then its code is no longer valid. */
	removePurchase(code: string): void {
		const { id } = this.#purchases.first("record ->> 'purchase_code' = ?", code) ?? {};
		this.#purchases.remove(0, Number(id));
	}
}
