import type { Dialect } from './dialects.ts';
import { isRecord, type ServiceName } from './fields.ts';

/** How a dialect writes the values of a response. */

const DECIMALS = ['balance', 'extended', 'price', 'regular'];
const BOOLEANS = ['downloaded', 'public', 'starred'];
/** These decide what a response means, and have settings of their own. */
const KEPT = ['error', 'Retry-After'];
/** Those of links hold what a person wrote. */
const NAMES = ['campaign', 'domain', 'name', 'tag', 'title'];

const ENTITIES: Record<string, string> = {
	"'": '&#039;',
	'"': '&quot;',
	'<': '&lt;',
	'>': '&gt;',
};

/** A response with its values as the dialect writes them. */
export function written(
	value: unknown,
	dialect: Dialect,
	service: ServiceName,
	name = '',
): unknown {
	if (KEPT.includes(name)) return value;
	if (Array.isArray(value)) return value.map((each) => written(each, dialect, service));
	if (isRecord(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([member, each]) => [
				member,
				written(each, dialect, service, member),
			]),
		);
	}
	return service === 'link' ? ofLinks(value, dialect, name) : ofStore(value, dialect, name);
}

function ofLinks(value: unknown, dialect: Dialect, name: string): unknown {
	if (typeof value === 'string') return NAMES.includes(name) ? escaped(value, dialect) : value;
	const text = asText(value, dialect, name);
	return dialect.types !== 'documented' && Number.isInteger(text) ? String(text) : text;
}

function ofStore(value: unknown, dialect: Dialect, name: string): unknown {
	if (typeof value !== 'string') return asText(value, dialect, name);
	return dialect.storeShapes === 'installed'
		? value.replace(/(T\d\d:\d\d:\d\d)Z$/, '$1.000000Z')
		: value;
}

function asText(value: unknown, { types, storeShapes }: Dialect, name: string): unknown {
	const isDecimal = types === 'strings' || storeShapes === 'installed';
	if (isDecimal && typeof value === 'number' && DECIMALS.includes(name)) return value.toFixed(2);
	if (types !== 'strings' || typeof value !== 'boolean' || !BOOLEANS.includes(name)) return value;
	return value ? '1' : 0;
}

/** A text with the characters of HTML as entities, if the dialect writes them so. */
export const escaped = (text: string, { shapes }: Dialect): string =>
	shapes === 'documented' ? text : text.replaceAll(/['"<>]/g, (sign) => ENTITIES[sign] ?? sign);
