/** A request the service refuses, told in its documented failure shape. `status` is the exact HTTP status. */
export class Failure extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

/** The key is missing, unknown or expired; its status is a setting of the dialect. */
export class KeyRefused extends Failure {
	constructor(message: string) {
		super(401, message);
	}
}
