// Headers that keep caches from answering requests that prove the key: a cached answer would make a revoked key look valid.

import type { IDataObject } from 'n8n-workflow';

import { countIn, textIn } from '../values/json';

/** Asks every cache on the way not to answer by itself; `Pragma` is for those of HTTP/1.0. */
export const NO_CACHE = { 'Cache-Control': 'no-cache, no-store', Pragma: 'no-cache' } as const;

/** Headers in which a cache says whether it answered, such as `X-Cache` or `CF-Cache-Status`. */
const CACHE_HEADER = /^([a-z]+-)*cache(-status)?$/;

/** Whether a cache says that it answered in place of the service, as those do that ignore what a request asks for. */
export function isFromCache(headers: IDataObject): boolean {
	const saysHit = Object.entries(headers).some(
		([name, value]) =>
			CACHE_HEADER.test(name.toLowerCase()) && /\b(hit|stale)\b/i.test(textIn(value) ?? ''),
	);
	return saysHit || (countIn(headers.age) ?? 0) > 0;
}
