import { CHOICES } from './choices.ts';

/** A dialect is a value for each setting of choices.ts; the presets are what services as a whole do. */

export type Dialect = {
	readonly [name in keyof typeof CHOICES]: (typeof CHOICES)[name][number];
} & {
	/** Seconds that the clock of both services is ahead (negative: behind) */
	readonly clockSkew: number;
};

export const DIALECT_NAMES = ['documented', 'installed', 'hostile'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** What differs from `documented`. */
const PRESETS: Record<DialectName, Partial<Dialect>> = {
	documented: {},
	/** As installations of these services respond */
	installed: {
		keyRefused: '403',
		types: 'integers',
		failureStatus: 'links200',
		rateLimited: 'body',
		maxLimit: '100',
		listOrder: 'links-desc',
		pageNumbers: 'beyond-next',
		sharedDomains: 'listed',
		shapes: 'installed',
		topStatistics: 'absent',
		linkUpdate: 'replaces',
		aliases: 'per-domain',
		aliasForm: 'rewritten',
		foreignDomain: 'ignored',
		sameUrl: 'existing',
		readsShort: 'yes',
		readsSearch: 'yes',
		createReadsPlaces: 'yes',
		storeKeyPlace: 'body',
		storeLanguage: 'portuguese',
		purchasePlace: 'item',
		noItems: 'error-below-two',
		storeShapes: 'installed',
	},
	/** Whatever else the documents allow */
	hostile: {
		failureStatus: 'http200',
		keyRefused: '200',
		types: 'strings',
		rateLimited: 'body-200',
		maxLimit: '25',
		listOrder: 'asc',
		pageNumbers: 'echoed',
		pageBeyond: 'error',
		topStatistics: 'integer',
		aliases: 'per-domain',
		storeKeyPlace: 'header',
		noItems: 'empty',
		clockSkew: -5400,
	},
};

const FIRST_VALUES = Object.entries(CHOICES).map(([name, [first]]) => [name, first]);
const DOCUMENTED = { ...Object.fromEntries(FIRST_VALUES), clockSkew: 0 } as Dialect;

/** A preset, or settings that differ from `installed`, as a complete dialect. */
export const dialectOf = (dialect: DialectName | Partial<Dialect>): Dialect =>
	typeof dialect === 'string'
		? { ...DOCUMENTED, ...PRESETS[dialect] }
		: { ...dialectOf('installed'), ...dialect };

const EXTRA_MEMBERS = { campaign: null, code: '429', api_version: '7', cursor: null };

/** Members that no document has, if the dialect adds them to its responses. */
export const extraMembers = ({ shapes }: Dialect): object =>
	shapes === 'installed' ? EXTRA_MEMBERS : {};
