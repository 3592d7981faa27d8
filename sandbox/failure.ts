import type { OrderedResponse } from './faults.ts';

/** A request that the service refuses, in the documented shape. A dialect may send another HTTP status than `status`. */
export class Failure extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

/** The key is missing or unknown; its status is a setting of the dialect. */
export class KeyRefused extends Failure {
	constructor() {
		super(401, 'A valid API key is required to use this service.');
	}
}

/** A request that gets a response outside the documented shapes: a web page, say. */
export class Undocumented extends Error {
	readonly response: OrderedResponse;

	constructor(response: OrderedResponse) {
		super('This response is in no document.');
		this.response = response;
	}
}
