import type { Dialect } from './dialects.ts';
import { isRecord } from './fields.ts';
import type { ServiceName } from './service.ts';

/** How a dialect writes the values of a response. */

const DECIMALS = ['balance', 'extended', 'price', 'regular'];
const BOOLEANS = ['downloaded', 'public', 'starred'];
/** These decide what a response means, and have settings of their own. */
const KEPT = ['error', 'Retry-After'];

/** A response with its values as the dialect writes them. */
export function written(
	value: unknown,
	dialect: Dialect,
	service: ServiceName,
	name = '',
): unknown {
	if (dialect.types === 'documented' || KEPT.includes(name)) return value;
	if (Array.isArray(value)) return value.map((each) => written(each, dialect, service));
	if (isRecord(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([member, each]) => [
				member,
				written(each, dialect, service, member),
			]),
		);
	}
	if (dialect.types === 'strings') {
		if (typeof value === 'number' && DECIMALS.includes(name)) return value.toFixed(2);
		if (typeof value === 'boolean' && BOOLEANS.includes(name)) return value ? '1' : 0;
	}
	return service === 'link' && Number.isInteger(value) ? String(value) : value;
}
