import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest, HttpResponse } from '../../../dist/nodes/shared/http/exchange.js';
import { Failure } from '../../../dist/nodes/shared/values/failure.js';
import type { ListServer } from './listServer.ts';
import type { VirtualTime } from './virtualTime.ts';

const WINDOW_MS = 60_000;

/** A request, with the time since the log began. */
interface Sent {
	at: number;
	path: string;
	query: IDataObject;
}

const LIST_NAMES: Record<string, string> = {
	'/api/urls': 'urls',
	'/api/qr': 'qrs',
	'/api/campaigns': 'campaigns',
	'/api/pixels': 'pixels',
};

/** A list server behind HTTP: it has a limit of requests a minute, and its failures are responses. */
export class RatedServer {
	readonly list: ListServer;
	/** Requests a minute; 0 if it has no limit, and states none. */
	limit: number;
	log: Sent[] = [];
	private logFrom = 0;
	private endsAt = -Infinity;
	private used = 0;

	constructor(list: ListServer, limit: number) {
		this.list = list;
		this.limit = limit;
	}

	copy(): RatedServer {
		const copy = new RatedServer(this.list.copy(), this.limit);
		copy.endsAt = this.endsAt;
		copy.used = this.used;
		return copy;
	}

	beginLog(now: number): void {
		this.log = [];
		this.logFrom = now;
	}

	/** @throws Failure if there is no response */
	async respond({ path, query = {} }: ApiRequest, time: VirtualTime): Promise<HttpResponse> {
		this.log.push({ at: time.now() - this.logFrom, path, query });
		const headers = this.count(time);
		await time.sleep(20);
		if (this.limit > 0 && this.used > this.limit) return failing(429, headers);
		try {
			return { statusCode: 200, headers, body: this.bodyOf(path, query) };
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			// Another copy of the package does not know this one's failures.
			const code = error.kind === 'unreachable' ? 'ECONNREFUSED' : 'ETIMEDOUT';
			if (error.httpCode === undefined) throw new Error(code, { cause: error });
			return failing(error.httpCode, headers, error.kind === 'unreadable');
		}
	}

	private bodyOf(path: string, query: IDataObject): IDataObject {
		const name = LIST_NAMES[path];
		if (name === undefined) return { error: 0, data: { id: 1 } };
		const { body } = this.list.answer(Number(query.page), Number(query.limit ?? 0));
		const { urls, ...numbers } = body.data as IDataObject;
		return { error: '0', data: { ...numbers, [name]: urls } };
	}

	/** Counts a request. @returns what the service says of its limit */
	private count(time: VirtualTime): IDataObject {
		const now = time.now();
		if (now >= this.endsAt) {
			this.endsAt = now + WINDOW_MS;
			this.used = 0;
		}
		this.used += 1;
		if (this.limit === 0) return {};
		return {
			'x-ratelimit-limit': this.limit,
			'x-ratelimit-remaining': Math.max(0, this.limit - this.used),
			'x-ratelimit-reset': Math.ceil((this.endsAt - now) / 1000),
		};
	}
}

const failing = (statusCode: number, headers: IDataObject, isPage = false): HttpResponse => ({
	statusCode,
	headers,
	body: isPage ? '<html>An error</html>' : { error: 1, message: 'No' },
});
