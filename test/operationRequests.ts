/**
 * How many requests each operation sends: `engine/faults.matrix.test.ts` holds the nodes to it, and docs/operations.md says
 * the same.
 */
export interface OperationRequests {
	requests: number;
	/** How often that many are sent. */
	per: 'item' | '100 records' | 'different purchase code';
	/** What it asks for besides: elsewhere, without the key, or once for all items. */
	besides?: string;
	/** How many it sends where it is given a new long URL. */
	withUrl?: number;
}

const ONE: OperationRequests = { requests: 1, per: 'item' };
const LIST: OperationRequests = { requests: 1, per: '100 records' };

/** Those that send another number than their kind of operation. */
const EXCEPTIONS: Readonly<Record<string, OperationRequests>> = {
	// The API wants the long URL: without a new one the present one is read first.
	'link.update': { requests: 2, per: 'item', withUrl: 1 },
	'link.create': { ...ONE, besides: '1 per campaign, channel, QR code, other alias' },
	'link.upsert': { ...ONE, besides: '1 per 100 links once a run' },
	'qrCode.create': { ...ONE, besides: '1 for the picture' },
	'qrCode.getImage': { ...ONE, besides: '1 for the picture' },
	// The API has no pages of items.
	'item.getAll': ONE,
	'purchase.validate': { requests: 1, per: 'different purchase code' },
};

/** @param operation `link.create` */
export function requestsOf(operation: string): OperationRequests {
	const isList = /\.get(All|Items)$/.test(operation);
	return EXCEPTIONS[operation] ?? (isList ? LIST : ONE);
}

const PER = {
	item: '',
	'100 records': ' per 100',
	'different purchase code': ' per different code',
} as const;

/** The same in words: `1 per 100`. */
export function requestsInWords(operation: string): string {
	const { requests, per, besides, withUrl } = requestsOf(operation);
	if (withUrl !== undefined) return `${withUrl}, or ${requests} without a new URL`;
	return `${requests}${PER[per]}${besides === undefined ? '' : `, and ${besides}`}`;
}
