/**
 * How many requests each operation sends: `engine/faults.matrix.test.ts` holds the nodes to it, and the README says the
 * same.
 */
export interface OperationRequests {
	requests: number;
	/** How often that many are sent. */
	per: 'item' | '100 records' | 'different purchase code';
	/** What it asks for elsewhere, without the key. */
	elsewhere?: string;
}

const ONE: OperationRequests = { requests: 1, per: 'item' };
const LIST: OperationRequests = { requests: 1, per: '100 records' };

/** Those that send another number than their kind of operation. */
const EXCEPTIONS: Readonly<Record<string, OperationRequests>> = {
	// The API wants the long URL: without a new one the present one is read first.
	'link.update': { requests: 2, per: 'item' },
	'qrCode.getImage': { ...ONE, elsewhere: '1 for the picture' },
	// The API has no pages of items.
	'item.getAll': ONE,
	'purchase.validate': { requests: 1, per: 'different purchase code' },
};

/** Of _Link > Update_ that is given a new long URL. */
export const LINK_UPDATE_WITH_URL: OperationRequests = ONE;

/** @param operation `link.create` */
export function requestsOf(operation: string): OperationRequests {
	const isList = /\.get(All|Items)$/.test(operation);
	return EXCEPTIONS[operation] ?? (isList ? LIST : ONE);
}
