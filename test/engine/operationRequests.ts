/**
 * How many requests each operation sends: `requests.test.ts` holds the nodes to it, and BENCHMARKS.md prints it. It is data
 * alone, so that it can be read without n8n's engine.
 */
export interface OperationRequests {
	requests: number;
	/** How often that many are sent */
	per: 'item' | '100 records' | 'different purchase code';
}

const ONE: OperationRequests = { requests: 1, per: 'item' };
const LIST: OperationRequests = { requests: 1, per: '100 records' };

export const OPERATION_REQUESTS: Record<string, OperationRequests> = {
	'link account.get': ONE,
	'link account.update': ONE,
	'link campaign.assignLink': ONE,
	'link campaign.create': ONE,
	'link campaign.delete': ONE,
	'link campaign.getAll': LIST,
	'link campaign.update': ONE,
	'link channel.assignItem': ONE,
	'link channel.create': ONE,
	'link channel.delete': ONE,
	'link channel.getAll': LIST,
	'link channel.getItems': LIST,
	'link channel.update': ONE,
	'link ctaOverlay.getAll': LIST,
	'link domain.create': ONE,
	'link domain.delete': ONE,
	'link domain.getAll': LIST,
	'link domain.update': ONE,
	'link link.create': ONE,
	'link link.delete': ONE,
	'link link.get': ONE,
	'link link.getAll': LIST,
	// The API wants the long URL: without a new one the present one is read first.
	'link link.update': { requests: 2, per: 'item' },
	'link pixel.create': ONE,
	'link pixel.delete': ONE,
	'link pixel.getAll': LIST,
	'link pixel.update': ONE,
	'link qrCode.create': ONE,
	'link qrCode.delete': ONE,
	'link qrCode.get': ONE,
	'link qrCode.getAll': LIST,
	'link qrCode.update': ONE,
	'link splashPage.getAll': LIST,
	'store account.get': ONE,
	'store item.get': ONE,
	// The API has no pages of items.
	'store item.getAll': ONE,
	'store purchase.validate': { requests: 1, per: 'different purchase code' },
};

/** Of _Link > Update_ that is given a new long URL. */
export const LINK_UPDATE_WITH_URL: OperationRequests = ONE;
