// n8n's error of a failure: what the editor shows.

import { type INode, NodeApiError } from 'n8n-workflow';

import type { Failure } from '../values/failure';

export function nodeError(node: INode, failure: Failure): NodeApiError {
	const { message, advice: description, httpCode, cause } = failure;
	const status = httpCode === undefined ? {} : { httpCode: String(httpCode) };
	const error = new NodeApiError(node, { message }, { message, description, ...status });
	if (cause instanceof Error) error.cause = cause;
	// The editor would add n8n's number of the item, which counts from 0, to a message that counts from 1.
	Object.defineProperty(error.context, 'itemIndex', { get: () => undefined, set: () => undefined });
	return error;
}
