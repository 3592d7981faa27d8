export type ServiceName = 'link' | 'store';

export interface RecordedRequest {
	service: ServiceName;
	method: string;
	path: string;
	query: Record<string, string>;
	headers: Record<string, string | undefined>;
	/** The parsed body; undefined when there was none or it was no JSON. */
	body: unknown;
	/** Status of the response; 0 while there is none, and for a dropped connection. */
	status: number;
	/** The response as it would have been sent; undefined while there is none. */
	response?: unknown;
	/** Epoch milliseconds of arrival. */
	at: number;
}

/** Every API request in order of arrival, and who wants to know when it has been answered. */
export interface Recorder {
	requests: RecordedRequest[];
	onRequest: ((request: RecordedRequest) => void) | undefined;
}
