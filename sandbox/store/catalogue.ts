import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeys } from '../apiKeys.ts';
import type { Clock } from '../clock.ts';
import { isoTimestamp } from '../clock.ts';
import { Failure } from '../failure.ts';
import { freeUsername } from '../usernames.ts';
import type { MediaKind } from './items.ts';

export interface NewStoreAccount {
	email: string;
	firstname?: string | undefined;
	lastname?: string | undefined;
	balance?: number | undefined;
	/** Default: a random one. */
	apiKey?: string | undefined;
}

export interface NewItem {
	name?: string | undefined;
	description?: string | undefined;
	category?: string | undefined;
	subCategory?: string | undefined;
	options?: string[] | undefined;
	/** `x.y.z` */
	version?: string | undefined;
	tags?: string[] | undefined;
	media?: MediaKind | undefined;
	screenshots?: boolean | undefined;
	regularPrice?: number | undefined;
	extendedPrice?: number | undefined;
	/** ISO 8601; default: now. */
	publishedAt?: string | undefined;
}

export interface NewPurchase {
	/** Default: a random one. */
	code?: string | undefined;
	license?: string | undefined;
	price?: number | undefined;
	/** ISO 8601; null (the default) when support is disabled or not offered. */
	supportedUntil?: string | null | undefined;
	downloaded?: boolean | undefined;
	/** ISO 8601; default: now. */
	date?: string | undefined;
}

/** What happens at a store outside its API: people register, publish items and buy them. */
export class Catalogue {
	readonly #database: DatabaseSync;
	readonly #keys: ApiKeys;
	readonly #clock: Clock;

	constructor(database: DatabaseSync, keys: ApiKeys, clock: Clock) {
		this.#database = database;
		this.#keys = keys;
		this.#clock = clock;
	}

	register(account: NewStoreAccount): { id: number; apiKey: string } {
		if (!account.email.includes('@')) throw new Failure(422, 'email must be an email address.');
		const holder = this.#database.prepare('SELECT id FROM store_accounts WHERE email = ?');
		if (holder.get(account.email)) {
			throw new Failure(409, `${account.email} is already registered.`);
		}
		const { lastInsertRowid } = this.#database
			.prepare(
				`INSERT INTO store_accounts
				(email, username, firstname, lastname, balance, currency, heading, description, social_links, registered_at)
				VALUES (?, ?, ?, ?, ?, 'USD', ?, ?, ?, ?)`,
			)
			.run(
				account.email,
				freeUsername(this.#database, 'store_accounts', account.email),
				account.firstname ?? 'Robin',
				account.lastname ?? 'Vale',
				account.balance ?? 0,
				'Small tools, well made',
				'Themes, scripts and sounds for web shops.',
				JSON.stringify({ facebook: 'robinvale', website: 'https://robinvale.example' }),
				isoTimestamp(this.#clock()),
			);
		const id = Number(lastInsertRowid);
		return { id, apiKey: this.#keys.rotate('store', id, account.apiKey) };
	}

	/** Publishes an item of an account, and returns its id. */
	addItem(accountId: number, item: NewItem = {}): number {
		const name = item.name ?? 'Storefront Theme';
		const { lastInsertRowid } = this.#database
			.prepare(
				`INSERT INTO items
				(account_id, name, description, category, sub_category, options, version, demo_link, tags,
				media_kind, screenshots, price_regular, price_extended, currency, published_at)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'USD', ?)`,
			)
			.run(
				accountId,
				name,
				item.description ?? `${name}, ready to use.`,
				item.category ?? 'Themes',
				item.subCategory ?? 'Shop',
				JSON.stringify(item.options ?? ['Documentation', 'Responsive']),
				item.version ?? '1.0.0',
				`https://demo.example/${encodeURIComponent(name.toLowerCase().replaceAll(' ', '-'))}`,
				JSON.stringify(item.tags ?? ['shop', 'theme']),
				item.media ?? 'image',
				item.screenshots ? 1 : 0,
				item.regularPrice ?? 29,
				item.extendedPrice ?? 249,
				item.publishedAt ?? isoTimestamp(this.#clock()),
			);
		return Number(lastInsertRowid);
	}

	/** Sells an item, and returns the purchase code. */
	addPurchase(itemId: number, purchase: NewPurchase = {}): string {
		const code = purchase.code ?? randomUUID();
		this.#database
			.prepare(
				`INSERT INTO purchases
				(purchase_code, item_id, license_type, price, currency, supported_until, downloaded, date)
				VALUES (?, ?, ?, ?, 'USD', ?, ?, ?)`,
			)
			.run(
				code,
				itemId,
				purchase.license ?? 'Regular License',
				purchase.price ?? 29,
				purchase.supportedUntil ?? null,
				purchase.downloaded ? 1 : 0,
				purchase.date ?? isoTimestamp(this.#clock()),
			);
		return code;
	}

	/** Takes a purchase back, as a refund does: then its code is no longer valid. */
	removePurchase(code: string): void {
		this.#database.prepare('DELETE FROM purchases WHERE purchase_code = ?').run(code);
	}
}
