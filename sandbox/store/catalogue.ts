import { randomUUID } from 'node:crypto';
import { type Clock, isoTimestamp } from '../clock.ts';
import type { Fields } from '../fields.ts';
import type { Tables } from '../records.ts';
import { MEDIA } from './routes.ts';

type Bought = Fields & { code?: string };

/** What happens at a store outside its API: people publish items and buy them. */
export const catalogue = ({ items, purchases }: Tables, clock: Clock) => ({
	/** Publishes an item of an account, and returns its id. @param changes of "Item", as the document names them */
	addItem(accountId: number, changes: Fields = {}): number {
		const { name = 'Storefront Theme', screenshots, ...members } = changes;
		return items.add(accountId, {
			name,
			description: `${String(name)}, ready to use.`,
			category: 'Themes',
			sub_category: 'Shop',
			options: ['Documentation', 'Responsive'],
			version: '1.0.0',
			demo_link: `https://demo.example/${encodeURIComponent(String(name).toLowerCase())}`,
			tags: ['shop', 'theme'],
			media: {
				thumbnail: `${MEDIA}/thumbnail.svg`,
				preview_image: `${MEDIA}/preview.svg`,
				...(screenshots === true
					? { screenshots: [1, 2, 3].map((at) => `${MEDIA}/${at}.svg`) }
					: {}),
			},
			price: { regular: 29, extended: 249 },
			currency: 'USD',
			published_at: isoTimestamp(clock()),
			...members,
		});
	},

	/** Sells an item, and returns the purchase code. @param members of "Purchase", as the document names them */
	addPurchase(itemId: number, { code = randomUUID(), ...members }: Bought = {}): string {
		purchases.add(0, {
			purchase_code: code,
			item_id: itemId,
			license_type: 'Regular License',
			price: 29,
			currency: 'USD',
			downloaded: false,
			date: isoTimestamp(clock()),
			...members,
		});
		return code;
	},

	/** Takes a purchase back, as a refund does: then its code is no longer valid. Returns whether there was one. */
	removePurchase(code: string): boolean {
		const sold = purchases.first("record ->> 'purchase_code' = ?", code);
		purchases.remove(sold?.id);
		return sold !== undefined;
	},
});
