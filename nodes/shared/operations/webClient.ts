// n8n's HTTP client without the credential, and n8n's file storage: for operations that download a file.

import type { IBinaryData, IExecutePaginationFunctions, IHttpRequestOptions } from 'n8n-workflow';

/** n8n's HTTP client without a credential. It refuses addresses that n8n's protection (SSRF) blocks. */
export interface WebClient {
	/** With the proxy and the TLS option that the user set on the node. */
	get: (request: IHttpRequestOptions) => Promise<unknown>;
	timeoutMs: number | undefined;
	/** Aborted when the execution is cancelled; n8n 1 gives none. */
	cancelled: AbortSignal | undefined;
	/** Stores a file. @returns the member for `binary` */
	file: (bytes: Buffer, name: string, mimeType: string) => Promise<IBinaryData>;
}

export const webClientOf = (
	{ helpers }: IExecutePaginationFunctions,
	clientOptions: Partial<IHttpRequestOptions>,
	timeoutMs: number | undefined,
	cancelled: AbortSignal | undefined,
): WebClient => ({
	get: async (request): Promise<unknown> =>
		await helpers.httpRequest({ ...clientOptions, ...request }),
	timeoutMs,
	cancelled,
	file: async (...file) => await helpers.prepareBinaryData(...file),
});
