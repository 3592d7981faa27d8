import type { IDataObject } from 'n8n-workflow';

import { type Dialect, presetDialect } from '../../../../sandbox/dialects.ts';
import { type Stage } from '../../helpers/support.ts';

/** The stores of the matrix: what none of them says makes a genuine code invalid. */

const PRESETS = ['documented', 'hostile', 'seen'] as const;

/** What a store may do besides having one message per endpoint. */
const SETTINGS: Array<Partial<Dialect>> = [
	...(['any', 'query', 'header', 'body', 'form'] as const).map((storeKeyPlace) => ({
		storeKeyPlace,
	})),
	...(['folded', 'folded-echo'] as const).map((codeSpelling) => ({ codeSpelling })),
	...(['404', '200', '403'] as const).map((invalidPurchase) => ({ invalidPurchase })),
	...(['data', 'purchase', 'item'] as const).map((purchasePlace) => ({ purchasePlace })),
	{ types: 'strings' },
	{ noItems: 'empty' },
];

/** By a title, the settings of each store. */
export const STORES: Array<[title: string, dialect: Dialect]> = [
	...PRESETS.flatMap((preset) =>
		(['own', 'endpoint'] as const).map((storeKeyWords): [string, Dialect] => [
			`${preset}, words for a refused key: ${storeKeyWords}`,
			{ ...presetDialect(preset), storeKeyWords },
		]),
	),
	...SETTINGS.map((setting): [string, Dialect] => [
		`one message per endpoint, ${Object.entries(setting).join()}`,
		{ ...presetDialect('documented'), storeKeyWords: 'endpoint', ...setting },
	]),
];

export const PLACES = ['body', 'form', 'header', 'query'];

/** Every credential with which a genuine code must not be invalid, with the known code or without. */
export function doubtfulCredentials(
	stage: Stage,
	knownValidCode: string | undefined,
): IDataObject[] {
	const { apiKey, apiKeyLocation } = stage.credentials.storeApi ?? {};
	const base = { apiKeyHeader: 'x-api-key', ...(knownValidCode && { knownValidCode }) };
	return PLACES.flatMap((place) => {
		const wrong = { ...base, apiKeyLocation: place, apiKey: 'wrong-key' };
		// Without a known code, nothing tells a key in the wrong place of a POST from an invalid code.
		const isTold = knownValidCode !== undefined || place === apiKeyLocation;
		return isTold ? [wrong, { ...base, apiKeyLocation: place, apiKey: apiKey ?? '' }] : [wrong];
	});
}

/** Sells an item once. @returns the code */
export const sell = ({ sandbox, storeAccount }: Stage): string =>
	sandbox.store.addPurchase(sandbox.store.addItem(storeAccount.id));

export const CONTINUE = { settings: { onError: 'continueRegularOutput' } } as const;
