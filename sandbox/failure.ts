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
