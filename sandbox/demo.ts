/** The accounts and codes that a seeded sandbox always has. Keys of a demo are no secrets. */
export const DEMO = {
	link: { email: 'demo@links.example', apiKey: 'demo-link-key-0123456789abcdef' },
	store: { email: 'demo@store.example', apiKey: 'demo-store-key-0123456789abcdef' },
	/** A store account that sells nothing. */
	emptyStore: { email: 'empty@store.example', apiKey: 'demo-empty-store-key-0123456789' },
	/** The first item that the demo account sells. */
	itemId: 1000,
	purchaseCodes: {
		/** Supported for another half year, downloaded. */
		valid: '5f1c2a90-7d3e-4b8a-9c61-0e2f4a6b8d10',
		/** Support ended last month. */
		supportEnded: 'c3d4e5f6-a7b8-4c9d-8e0f-1a2b3c4d5e6f',
		/** Support is not offered; not downloaded. */
		withoutSupport: 'e7f8a9b0-c1d2-4e3f-9a4b-5c6d7e8f9a0b',
		/** Of another account's item, so not valid for the demo account. */
		otherAccount: '0b1c2d3e-4f5a-4b6c-8d7e-8f9a0b1c2d3e',
		/** Never sold. */
		invalid: '00000000-0000-4000-8000-000000000000',
	},
} as const;
